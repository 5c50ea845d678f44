/**
 * One HTTP request and its reply, or its failure: the unit of traffic. Servers, clients, recordings and screens all
 * hold this shape, and nothing here can change the wire.
 */
import type { OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'

export interface Party {
  readonly role: Role
  /** Whose side that is: the user's service, ours, or a real partner's. */
  readonly party: 'subject' | 'sparring' | 'partner'
}

/** Header names and values as they stood on the wire: order, case and duplicates kept. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** What the decoded text of a body does not tell about its bytes. */
export interface Wire {
  /** The content coding that was undone: `gzip`, `br`, `deflate`, `zstd`. */
  readonly coding?: string
  /** How many bytes the body had on the wire, before its coding was undone. */
  readonly bytes?: number
  /** SHA-256 of those bytes, in hexadecimal. */
  readonly sha256?: string
  /** The body, its coding undone, where it is no lossless UTF-8 text; then there is no `body`. */
  readonly base64?: string
}

export interface ExchangeRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: HeaderPairs
  /** Decoded text; absent when there was no body. */
  readonly body?: string
  readonly wire?: Wire
}

export interface ExchangeReply {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body?: string
  readonly wire?: Wire
}

export interface Exchange {
  /** Dense, in the order in which requests began; from 1. */
  readonly seq: number
  /** The wall clock when the request began, in milliseconds since 1970, with fractions. */
  readonly startedAt: number
  readonly tookMs: number
  /** When the request was whole, in milliseconds after it began; for who saw it pass. */
  readonly sentMs?: number
  /** When the reply began, in milliseconds after the request did; for who saw it pass. */
  readonly repliedMs?: number
  readonly from: Party
  readonly to: Party
  /** The operation of the catalogue; absent for a path that the protocol does not know. */
  readonly operation?: OperationId
  readonly params?: Readonly<Record<string, string>>
  readonly orderId?: string
  /** The events that it handed over or acknowledged. */
  readonly eventIds?: readonly string[]
  /** The n-th try of the same call. */
  readonly attempt?: number
  readonly request: ExchangeRequest
  readonly reply?: ExchangeReply
  /** What went wrong on the way; then there is no reply, or one that broke off. */
  readonly failure?: { readonly code: string; readonly message: string }
  /** The fault that distorted it, and what it did: `reset on req(confirmOrder,o2)`. */
  readonly fault?: string
}
