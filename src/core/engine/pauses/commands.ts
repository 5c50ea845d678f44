/**
 * Commands of a pause begun outside the world: an answer held back, a call sent late, a subject in this process that
 * sleeps. Its end is an agenda item, so there is no second timer, an operator can hold and release it, and the virtual
 * clock includes it.
 */
import { z } from 'zod'
import { Duration, formatDuration } from '../../protocol/duration.ts'
import { type CommandIn, commandRow, idField, numberField, trueField } from '../command-row.ts'

/** What waits, by its name in texts. */
const waiting = { answer: 'an answer', call: 'a call', subject: 'your service' } as const

export type PauseTarget = keyof typeof waiting

export const goesOn = (whose: PauseTarget, text: string = waiting[whose]): string =>
  `${text} goes on`

const pauseFields = () => ({
  /** Number of the pause, assigned by the code that begins it. */
  pause: numberField,
  whose: z.enum(['answer', 'call', 'subject']),
  /** Short text of what waits. */
  text: z.exactOptional(z.string()),
  orderId: z.exactOptional(idField),
  /** No answer follows: the caller gives up by its own timeout, and the end of faults does not end it. */
  hung: trueField,
})

export const pauseCommands = {
  /** Begins a pause. */
  'pause.begin': commandRow({
    shape: () => ({
      ...pauseFields(),
      ms: Duration,
      /** The fault that caused the pause: the end of faults ends it too, unless it is hung. */
      fault: z.exactOptional(numberField),
    }),
    text: ({ whose, text = waiting[whose], ms }) => `${text} waits ${formatDuration(ms)}`,
  }),
  /** The pause is over. */
  'pause.end': commandRow({
    shape: pauseFields,
    text: ({ whose, text }) => goesOn(whose, text),
  }),
}

export type PauseCommand = CommandIn<typeof pauseCommands>
