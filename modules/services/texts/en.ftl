### What customers are told about services.

services-provider-missing = One of the services in your cart cannot be provided at the moment.
services-sold-out = { $left ->
    [0] “{ $product }” cannot be had at the moment.
    [1] Only one “{ $product }” can be had at the moment.
   *[other] Only { $left } of “{ $product }” can be had at the moment.
}

# What the storefront shows.
services-panel-title = Services
services-panel-plan = Plan: { $plan }
services-panel-pending = Being set up
services-panel-provisioning = Being set up
services-panel-active = Active
services-panel-suspended = Suspended
services-panel-terminated = Ended
services-panel-failed = Could not be set up
## The mail about what was paid

services-mail = We are setting this up for you. As soon as it is ready, you find how to use it under your order.
