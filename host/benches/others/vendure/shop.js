// A shop on Vendure with two products, as its documentation sets one up for production: PostgreSQL, access tokens, no logs.
//
//   npm install
//   NODE_ENV=production node shop.js postgres://USER:PASSWORD@HOST:PORT/NAME PORT
//
// The database must exist and be empty; the shop then says "ready".
const { writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { DefaultLogger, LanguageCode, LogLevel, bootstrap, dummyPaymentHandler } = require("@vendure/core");
const { populate } = require("@vendure/core/cli");

const [url, port] = process.argv.slice(2);

const config = {
  apiOptions: { port: Number(port), hostname: "127.0.0.1", shopApiPath: "shop-api", adminApiPath: "admin-api" },
  authOptions: { tokenMethod: "bearer", superadminCredentials: { identifier: "owner", password: "for-a-benchmark" } },
  dbConnectionOptions: { type: "postgres", url, synchronize: true, logging: false, poolSize: 10 },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
};

const initialData = {
  defaultLanguage: LanguageCode.en,
  defaultZone: "Europe",
  countries: [{ code: "NL", name: "Netherlands", zone: "Europe" }],
  taxRates: [{ name: "Standard Tax", percentage: 21 }],
  shippingMethods: [{ name: "Standard Shipping", price: 500 }],
  paymentMethods: [{ name: "Standard Payment", handler: { code: dummyPaymentHandler.code, arguments: [{ name: "automaticSettle", value: "true" }] } }],
  collections: [],
};

const products = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Teapot,teapot,,,,,,TEAPOT,19.99,standard,1000000000,false,,
Font,font,,,,,,FONT,59.00,standard,1000000000,false,,
`;

async function main() {
  const file = join(tmpdir(), `vendure-products-${process.pid}.csv`);
  writeFileSync(file, products);
  await populate(() => bootstrap(config), initialData, file);
  console.log("ready");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
