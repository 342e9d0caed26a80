-- When the customer was told that the service is about to be terminated.
ALTER TABLE services_services ADD COLUMN termination_noticed_at TIMESTAMPTZ;

CREATE INDEX services_services_ending ON services_services (terminate_at) WHERE terminate_at IS NOT NULL;
