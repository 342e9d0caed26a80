// The shop's paths are passed on to it, so that pages and shop have one origin: logins need no further setting.
// `/account` itself is a page of this storefront; below it are the shop's pages for links in mails.
const shop = { target: process.env.SHOP ?? "http://127.0.0.1:8080", changeOrigin: false };
const proxy = { "/api/": shop, "/session": shop, "/media/": shop, "/webhooks/": shop, "/account/": shop, "/development/": shop };

export default {
  server: { proxy },
  preview: { proxy },
};
