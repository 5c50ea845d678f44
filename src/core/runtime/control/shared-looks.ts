/**
 * Answers of looks that several viewers share: those who look at the same get one snapshot and one text. An answer lasts until
 * viewers are notified of changes, until an operator changes something here, and no longer than each of them allows.
 */
import { wallNow } from '../clock/clock.ts'

interface SharedLooks {
  /** The answer to the same body, if it is at most this many milliseconds old. */
  readonly find: (body: string, maxAgeMs: number) => string | undefined
  readonly keep: (body: string, answer: string) => void
  readonly clear: () => void
}

/** Answers that are kept: viewers beyond these are answered one by one. */
const maxAnswers = 16

export function createSharedLooks(): SharedLooks {
  const answers = new Map<string, { readonly at: number; readonly text: string }>()
  return {
    find(body, maxAgeMs) {
      const found = answers.get(body)
      return found && wallNow() - found.at <= maxAgeMs ? found.text : undefined
    },
    keep(body, text) {
      answers.delete(body)
      answers.set(body, { at: wallNow(), text })
      const [oldest] = answers.keys()
      if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest)
    },
    clear: () => answers.clear(),
  }
}
