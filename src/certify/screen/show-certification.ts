/**
 * Shows a certification on a terminal until it is closed. The command line imports this file lazily, since Ink and React take
 * longer to load than everything else.
 */
import type { ProcedureProgress } from '../judge/run-procedures.ts'
import type { ExitReason } from '../../terminal/dashboard/runtime/show.tsx'
import type { TakenTerminal } from '../../terminal/dashboard/runtime/shown-screen.ts'
import { openTimedScreen } from '../../terminal/dashboard/runtime/timed-screen.ts'
import type { Appearance } from '../../terminal/dashboard/view/appearance.ts'
import { certificationAreas } from './areas.ts'
import { type CertificationAction, respondToCertificationKey } from './keys.ts'
import {
  type CertificationHeading,
  type CertificationModel,
  type EndedCertification,
  initialCertification,
} from './model.ts'
import { type CertificationMessage, updateCertification } from './update.ts'

export interface ShowCertificationOptions {
  readonly heading: CertificationHeading
  readonly appearance: Appearance
  /** Called at the beginning, and again after something else had the terminal. */
  readonly openTerminal: () => TakenTerminal
  /** The operator wants it to end after the procedure under way. */
  readonly onStop: () => void
  /** Suspends to the shell, until resumed. */
  readonly suspend: () => Promise<void>
  /** Closes the screen, after a signal. */
  readonly signal: AbortSignal
}

/** What a person has answered; undefined when there was no answer. */
export type PersonAnswer = 'done' | 'skipped' | undefined

export interface ShownCertification {
  readonly onProgress: (progress: ProcedureProgress) => void
  /** An exchange with the service has ended. */
  readonly onExchange: () => void
  /** Asks the operator for something, until the signal is aborted, which is after so many ms at the latest. */
  readonly ask: (text: string, withinMs: number, signal: AbortSignal) => Promise<PersonAnswer>
  readonly onEnd: (ended: EndedCertification) => void
  /** Resolves when the operator leaves: by a key after the end, or as soon as it has stopped. */
  readonly closed: Promise<ExitReason>
  /** Closes it, if it is open, and restores the terminal. */
  readonly close: () => Promise<void>
}

export function showCertification(options: ShowCertificationOptions): ShownCertification {
  const { heading, appearance, openTerminal, onStop, suspend, signal } = options
  const beganAt = performance.now()
  let answer: (given: PersonAnswer) => void = () => undefined

  function act(action: CertificationAction): void {
    switch (action.kind) {
      case 'answer':
        return answer(action.answer)
      case 'stop':
        return onStop()
      case 'leave':
        return screen.leave()
      case 'suspend':
        return void screen.suspend(suspend)
      default:
        action satisfies never
    }
  }

  const screen = openTimedScreen<CertificationModel, CertificationMessage, CertificationAction>({
    openTerminal,
    appearance,
    initial: (columns, rows) => initialCertification(heading, columns, rows),
    update: updateCertification,
    areasOf: certificationAreas,
    respond: respondToCertificationKey,
    act,
    tick,
    signal,
  })
  const { fold, store } = screen
  /** The seconds that are left are counted down. */
  function tick(): void {
    if (!store.newest().ended) fold({ kind: 'ticked', tookMs: performance.now() - beganAt })
  }

  return {
    closed: screen.closed,
    onProgress: (progress) => fold({ kind: 'progress', progress }),
    onExchange: () => fold({ kind: 'exchange' }),
    async ask(text, withinMs, enough) {
      if (enough.aborted) return undefined
      const asked = Promise.withResolvers<PersonAnswer>()
      answer = asked.resolve
      const over = (): void => asked.resolve(undefined)
      enough.addEventListener('abort', over, { once: true })
      tick()
      fold({ kind: 'asked', wish: { text, untilMs: store.newest().tookMs + withinMs } })
      const given = await asked.promise
      enough.removeEventListener('abort', over)
      fold({ kind: 'asked' })
      return given
    },
    onEnd(ended) {
      tick()
      fold({ kind: 'ended', ended })
      if (store.newest().isStopping) screen.leave()
    },
    close: screen.close,
  }
}
