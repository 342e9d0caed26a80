// A shop on Medusa as its documentation sets one up, without its admin pages; everything else is what it comes with.
const { defineConfig } = require("@medusajs/framework/utils");

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: { storeCors: "*", adminCors: "*", authCors: "*", jwtSecret: "for-a-benchmark", cookieSecret: "for-a-benchmark" },
  },
  admin: { disable: true },
});
