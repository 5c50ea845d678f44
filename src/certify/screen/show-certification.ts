/**
 * Shows a certification on a terminal until it is closed. The command line imports this file lazily, since Ink and React take
 * longer to load than everything else.
 */
import type { ProcedureProgress } from '../judge/run-procedures.ts'
import {
  OpenListScreen,
  type ShowListOptions,
} from '../../terminal/dashboard/list-screen/open-list-screen.tsx'
import type { ExitReason } from '../../terminal/dashboard/runtime/show.tsx'
import { certificationScreen, updateCertification } from './certification-screen.ts'
import {
  type CertificationHeading,
  type EndedCertification,
  initialCertification,
} from './model.ts'

/** It stops after the procedure under way. */
export interface ShowCertificationOptions extends ShowListOptions {
  readonly heading: CertificationHeading
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
  let answer: (answered: PersonAnswer) => void = () => undefined
  const screen = new OpenListScreen({
    ...options,
    screen: certificationScreen,
    initial: (columns, rows) => initialCertification(options.heading, columns, rows),
    update: updateCertification,
    act: (action) => answer(action.answer),
  })

  return {
    closed: screen.closed,
    onProgress: (progress) => screen.fold({ kind: 'progress', progress }),
    onExchange: () => screen.fold({ kind: 'exchange' }),
    async ask(text, withinMs, enough) {
      if (enough.aborted) return undefined
      const asked = Promise.withResolvers<PersonAnswer>()
      answer = asked.resolve
      const over = (): void => asked.resolve(undefined)
      enough.addEventListener('abort', over, { once: true })
      screen.tick()
      screen.fold({ kind: 'asked', wish: { text, untilMs: screen.model.tookMs + withinMs } })
      const answered = await asked.promise
      enough.removeEventListener('abort', over)
      screen.fold({ kind: 'asked' })
      return answered
    },
    onEnd(ended) {
      screen.tick()
      screen.fold({ kind: 'ended', ended })
      if (screen.model.isStopping) screen.leave()
    },
    close: () => screen.close(),
  }
}
