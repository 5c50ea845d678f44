/**
 * A pause begun outside the world: an answer held back, a call sent late, a subject in this process that sleeps. Its
 * end is an agenda item, so there is no second timer, an operator can hold and release it, and the virtual clock
 * includes it.
 */

export type PauseTarget = 'answer' | 'call' | 'subject'

export type PauseCommand =
  /** Begins a pause. */
  | {
      readonly kind: 'pause.begin'
      /** Number of the pause, assigned by the code that begins it. */
      readonly pause: number
      readonly whose: PauseTarget
      readonly ms: number
      /** Short text of what waits. */
      readonly text?: string
      readonly orderId?: string
      /** The fault that caused the pause: the end of faults ends it too, unless it is hung. */
      readonly fault?: number
      readonly hung?: true
    }
  /** The pause is over. */
  | {
      readonly kind: 'pause.end'
      readonly pause: number
      readonly whose: PauseTarget
      readonly text?: string
      readonly orderId?: string
      /** No answer follows: the caller gives up by its own timeout, and the end of faults does not end it. */
      readonly hung?: true
    }

export type PauseFact =
  /** A pause ended: the code that began it continues. */
  { readonly kind: 'pause.ended'; readonly pause: number; readonly whose: PauseTarget }
