/** The distortion of one message on the wire, as data: the edge carries it out, and the journal shows it. */
import type { ErrorCode } from '../../protocol/errors.ts'
import type { PlannedCommand } from '../agenda/item.ts'
import type { ProcessSignal } from '../session/commands.ts'

/** A reply injected in place of the true one. */
export interface InjectedReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Retry-After as a date, this many milliseconds from now by the clock of the receiver. */
  readonly retryAtMs?: number
  /** Location names the same resource, as one that has moved. */
  readonly moved?: true
  /** A protocol error, written in the session's error format. */
  readonly error?: { readonly code: ErrorCode; readonly message: string }
  /** The body as text, instead of `error`. */
  readonly body?: string
}

/** A change of a JSON body; list changes concern the events of a poll's answer. */
export type BodyChange =
  | { readonly kind: 'reverse' }
  | { readonly kind: 'shuffle'; readonly draw: number }
  | { readonly kind: 'first'; readonly most: number }
  /** The events of the answer, repeated `copies` more times. */
  | { readonly kind: 'repeat'; readonly copies: number }
  /** Unknown fields, added to the top level of each object. */
  | { readonly kind: 'add'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text'; readonly body: string }
  /** The same body in another form (rewrite-body.ts); the draw decides what changes where not all does. */
  | { readonly kind: 'form'; readonly form: string; readonly draw: number }

/** The end of the process of the user's service, at this message. */
export interface SubjectCrash {
  /** Before the message is answered, or as soon as it has been. */
  readonly when: 'before-answer' | 'after-answer'
  readonly signal: ProcessSignal
  /** Session time until it is started again, in milliseconds. */
  readonly downMs: number
}

export interface Distortion {
  /** Whether the request takes effect at its receiver. */
  readonly effect: boolean
  /** The reply sent in place of the true one. */
  readonly reply?: InjectedReply
  readonly change?: BodyChange
  /** Our call was signed before its body changed, so the signature is wrong. */
  readonly signedBefore?: true
  /** The call is a forgery: its answer says nothing about the true call. */
  readonly forged?: true
  /** Replaced headers; an empty value removes the header. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Delay of the answer, or of our call, in milliseconds of session time; for `slow-body`, the duration of the body.
   */
  readonly afterMs?: number
  /** How it ends: never, reset before the first byte, cut in the middle, or slowly in pieces. */
  readonly end?: 'hang' | 'reset' | 'truncate' | 'slow-body'
  /** The answer is compressed so, where its receiver accepts that. */
  readonly encoding?: 'gzip' | 'br'
  readonly crash?: SubjectCrash
  /** Further commands that the distortion plans. */
  readonly plans?: readonly PlannedCommand[]
  /** They come before the request takes effect, instead of behind it. */
  readonly plansFirst?: true
}
