// Everything that can go wrong with a request, as one class.
import type { CheckoutTotals, ErrorBody, ErrorCode } from "./generated/types.gen.js";

/**
 * What programs decide by: the shop's own codes, `unreachable` when there was no answer, `unreadable` when the answer was not the shop's, and `not_modified`
 * when it is the one whose `ETag` a request has named. Later versions of the shop may have further codes.
 */
export type ShopErrorCode = ErrorCode | "unreachable" | "unreadable" | "not_modified" | (string & {});

export interface ShopErrorDetails {
  /** The finer code, such as `total_changed`. */
  reason?: string;
  /** What is wrong with which field: `{"billing.city": ["The field …"]}`. */
  fields?: Record<string, string[]>;
  /** The id of the request, by which the shop finds it in its log. */
  requestId?: string;
  /** Seconds to wait before the request is sent again. */
  retryAfter?: number;
  /** What the cart costs now, if `reason` is `total_changed`. */
  totals?: CheckoutTotals;
  cause?: unknown;
}

/** What the client says by itself, by language. */
const TEXTS = {
  en: { unreachable: "The shop cannot be reached.", unreadable: "The shop cannot answer." },
  de: { unreachable: "Der Shop ist nicht erreichbar.", unreadable: "Der Shop kann nicht antworten." },
  nl: { unreachable: "De winkel is niet bereikbaar.", unreadable: "De winkel kan niet antwoorden." },
};

/** A sentence in the language of the request, or in English. */
function told(request: Request, key: keyof (typeof TEXTS)["en"]): string {
  const language = request.headers.get("Accept-Language")?.slice(0, 2).toLowerCase();
  return (TEXTS[language as keyof typeof TEXTS] ?? TEXTS.en)[key];
}

/** A request that was refused, or that brought no answer. `message` is for people, in the language of the shop object. */
export class ShopError extends Error {
  override readonly name = "ShopError";
  readonly reason: ShopErrorDetails["reason"];
  readonly fields: Record<string, string[]>;
  readonly requestId: ShopErrorDetails["requestId"];
  readonly retryAfter: ShopErrorDetails["retryAfter"];
  readonly totals: ShopErrorDetails["totals"];

  constructor(
    message: string,
    /** The status of HTTP; 0 without an answer. */
    readonly status: number,
    readonly code: ShopErrorCode,
    { reason, fields = {}, requestId, retryAfter, totals, cause }: ShopErrorDetails = {},
  ) {
    super(message, { cause });
    this.reason = reason;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.totals = totals;
  }

  /** Whether nobody knows what became of the request, or the same request may be answered later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** No answer came: the network is away, or time is up. */
  static unreachable(request: Request, cause: unknown): ShopError {
    return new ShopError(told(request, "unreachable"), 0, "unreachable", { cause });
  }

  /** The answer that the client has kept is still current. */
  static notModified(answer: Response): ShopError {
    return new ShopError("Nothing has changed.", answer.status, "not_modified", {});
  }

  /** The shop, or whatever stands before it, has refused. */
  static refused(request: Request, answer: Response, text: string): ShopError {
    const wait = Number(answer.headers.get("Retry-After") ?? NaN);
    const details = {
      requestId: answer.headers.get("X-Request-Id") ?? undefined,
      retryAfter: Number.isFinite(wait) ? wait : undefined,
    };
    const body = parsed(text);
    if (!body) return new ShopError(told(request, "unreadable"), answer.status, "unreadable", details);
    const { message, code, reason, errors, totals } = body;
    return new ShopError(message, answer.status, code, { ...details, reason, fields: errors, totals });
  }
}

function parsed(text: string): (ErrorBody & { totals?: CheckoutTotals }) | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.code === "string" && typeof body.message === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}
