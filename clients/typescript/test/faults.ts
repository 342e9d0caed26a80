// A proxy before the shop, on which what goes wrong between two machines goes wrong.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { url } from "./live.js";

/** What becomes of a request: it is passed on; its answer is lost; something else answers. */
export type Fate = "pass" | "lose-answer" | { status: number; headers?: Record<string, string>; body?: string };

export interface Seen {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
}

/** Runs with a proxy that decides about each request, and collects what it has seen. */
export async function withFaults(
  decide: (request: Seen, count: number) => Fate,
  run: (proxy: string, seen: Seen[]) => Promise<void>,
): Promise<void> {
  const seen: Seen[] = [];
  const server = http.createServer(async (request, answer) => {
    const now: Seen = { method: request.method!, path: request.url!, headers: request.headers };
    seen.push(now);
    const body = Buffer.concat(await request.toArray());
    const fate = decide(now, seen.filter(({ method, path }) => method === now.method && path === now.path).length);
    if (typeof fate === "object") {
      answer.writeHead(fate.status, fate.headers).end(fate.body);
      return;
    }
    const { host, connection, "transfer-encoding": _, ...headers } = request.headers as Record<string, string>;
    const passed = await fetch(url + now.path, {
      method: now.method,
      headers: { ...headers, "accept-encoding": "identity" },
      body: body.length ? body : undefined,
    });
    const text = await passed.text();
    if (fate === "lose-answer") request.socket.destroy();
    else answer.writeHead(passed.status, Object.fromEntries(passed.headers)).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
