/** What becomes of one message on the wire, as data: the edge carries it out, and the journal shows it. */
import type { ErrorCode } from '../../protocol/errors.ts'
import type { Planned } from '../agenda/item.ts'

/** An answer in place of the true one. */
export interface FalseReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Retry-After as a date, so far from now by the clock of whoever reads it. */
  readonly retryAtMs?: number
  /** An error of the protocol, written in this session's shape. */
  readonly error?: { readonly code: ErrorCode; readonly message: string }
  /** The body as text, where it is no such error. */
  readonly body?: string
}

/** What happens to a JSON body on its way; `list` changes are for the events of a poll's answer. */
export type BodyChange =
  | { readonly kind: 'reverse' }
  | { readonly kind: 'shuffle'; readonly draw: number }
  | { readonly kind: 'first'; readonly most: number }
  /** The events of the answer, these positions of them again. */
  | { readonly kind: 'repeat'; readonly copies: number }
  /** Fields that the receiver does not know, at the top of each object. */
  | { readonly kind: 'add'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text'; readonly body: string }

export interface Distortion {
  /** Whether the request takes effect where it goes. */
  readonly effect: boolean
  /** What goes out in place of the true answer. */
  readonly reply?: FalseReply
  readonly change?: BodyChange
  /** Our call was signed before its body changed: the signature fits no longer. */
  readonly signedBefore?: true
  /** A stranger made our call: what is answered to it says nothing of the true one. */
  readonly forged?: true
  /** Headers that take the place of the true ones; an empty one takes it away. */
  readonly headers?: Readonly<Record<string, string>>
  /** The answer, or our call, goes out after this much of the session's time; its pieces, within it. */
  readonly afterMs?: number
  /** How it ends: never, broken off before the first byte, in the middle, or slowly, piece by piece. */
  readonly end?: 'hang' | 'reset' | 'cut' | 'trickle'
  /** What else comes of it. */
  readonly plans?: readonly Planned[]
}
