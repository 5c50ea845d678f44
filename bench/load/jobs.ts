/** What the load generator is told to do, and what it says afterwards. */

/** How long after its end an order is concluded, by every server: soon, or lives would end while others are looked at. */
export const concludeMs = 150

export interface Target {
  readonly port: number
  readonly token: string
}

export interface Shot {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON text. */
  readonly body?: string
  /** X-Request-Id: by it, a call that comes again is known. */
  readonly requestId?: string
}

export interface FireResult {
  readonly requests: number
  readonly wallMs: number
  /** How often each status came. */
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
