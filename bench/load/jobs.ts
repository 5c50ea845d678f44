/** Jobs and results of the load generator. */

/**
 * Milliseconds from DELIVERED to CONCLUDED, on every server: short, so that orders do not conclude while other things
 * are measured.
 */
export const concludeDelayMs = 150

export interface LoadTarget {
  readonly port: number
  readonly token: string
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON text. */
  readonly body?: string
  /** X-Request-Id, the idempotency key. */
  readonly requestId?: string
}

export interface FireResult {
  readonly requests: number
  readonly wallMs: number
  /** Number of replies by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface LiveResult {
  readonly orders: number
  readonly requests: number
  readonly events: number
}

export interface MixResult {
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
}
