// Two products in one region, which are never out of stock. Prints what journey.json needs.
const { writeFileSync } = require("node:fs");
const { ContainerRegistrationKeys, Modules } = require("@medusajs/framework/utils");
const {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  createTaxRegionsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
} = require("@medusajs/medusa/core-flows");

exports.default = async function seed({ container }) {
  const link = container.resolve(ContainerRegistrationKeys.LINK);
  const fulfillment = container.resolve(Modules.FULFILLMENT);
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;

  const [channel] = await run(createSalesChannelsWorkflow, { salesChannelsData: [{ name: "Shop" }] });
  const [region] = await run(createRegionsWorkflow, {
    regions: [{ name: "Europe", currency_code: "eur", countries: ["nl"], payment_providers: ["pp_system_default"] }],
  });
  await run(createTaxRegionsWorkflow, [{ country_code: "nl", provider_id: "tp_system", default_tax_rate: { rate: 21, code: "nl", name: "VAT" } }]);

  const [place] = await run(createStockLocationsWorkflow, {
    locations: [{ name: "Warehouse", address: { city: "Amsterdam", country_code: "NL", address_1: "" } }],
  });
  await link.create({ [Modules.STOCK_LOCATION]: { stock_location_id: place.id }, [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" } });
  const [profile] = await run(createShippingProfilesWorkflow, { data: [{ name: "All", type: "default" }] });
  const set = await fulfillment.createFulfillmentSets({
    name: "Warehouse",
    type: "shipping",
    service_zones: [{ name: "Netherlands", geo_zones: [{ country_code: "nl", type: "country" }] }],
  });
  await link.create({ [Modules.STOCK_LOCATION]: { stock_location_id: place.id }, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } });
  const [shipping] = await run(createShippingOptionsWorkflow, [
    {
      name: "Standard",
      price_type: "flat",
      provider_id: "manual_manual",
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: "Standard", description: "In some days.", code: "standard" },
      prices: [{ currency_code: "eur", amount: 5 }],
      rules: [
        { attribute: "enabled_in_store", value: "true", operator: "eq" },
        { attribute: "is_return", value: "false", operator: "eq" },
      ],
    },
  ]);
  await run(linkSalesChannelsToStockLocationWorkflow, { id: place.id, add: [channel.id] });

  const [key] = await run(createApiKeysWorkflow, { api_keys: [{ title: "Shop", type: "publishable", created_by: "" }] });
  await run(linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });

  const products = await run(createProductsWorkflow, {
    products: [["Teapot", 19.99], ["Font", 59]].map(([title, amount]) => ({
      title,
      status: "published",
      shipping_profile_id: profile.id,
      options: [{ title: "Kind", values: ["Only"] }],
      variants: [{ title: "Only", manage_inventory: false, options: { Kind: "Only" }, prices: [{ currency_code: "eur", amount }] }],
      sales_channels: [{ id: channel.id }],
    })),
  });
  const names = { KEY: key.token, REGION: region.id, SHIPPING: shipping.id };
  products.forEach((product) => (names[product.title.toUpperCase()] = product.variants[0].id));
  writeFileSync("names.json", JSON.stringify(names, null, 2));
};
