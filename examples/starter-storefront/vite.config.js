// The shop's paths are passed on to it, so that pages and shop have one origin: logins need no further setting.
const shop = { target: process.env.SHOP ?? "http://127.0.0.1:8080", changeOrigin: false };
const proxy = { "/api": shop, "/session": shop, "/media": shop };

export default {
  server: { proxy },
  preview: { proxy },
};
