/** Opens what shows a certification: a screen where there is a person at a terminal and stdout is not asked for, else lines. */
import type { ProcedureProgress } from '../judge/run-procedures.ts'
import { compact } from '../../core/base/compact.ts'
import { type Io, isCi, printLine } from '../../terminal/cli/io.ts'
import { isStdoutClaimed } from '../../terminal/cli/run/claimed-stdout.ts'
import { canShowScreen } from '../../terminal/cli/session-output.ts'
import type { StopSignal } from '../../terminal/cli/stop-signal.ts'
import { type AskPerson, createLineQuestion } from './ask-person.ts'
import { type CertificationPlan, plannedCatalogue } from './certification-plan.ts'
import type { CertifyFlags } from './certify-flags.ts'
import { certifyPretty } from './reporters/pretty.ts'
import type { ReportedCertification } from './reporters/result-lines.ts'
import { resultLines } from './reporters/result-lines.ts'

/** Disposing of it gives the terminal back. */
export interface CertificationDisplay extends AsyncDisposable {
  readonly onProgress: (progress: ProcedureProgress) => void
  /** An exchange with the service has ended. */
  readonly onExchange: () => void
  /** Absent where there is no person. */
  readonly ask: AskPerson | undefined
  /** All reports are written. Resolves when the operator has seen how it ended. */
  readonly end: (reported: ReportedCertification) => Promise<void>
}

export const isCertificationOnScreen = (flags: CertifyFlags, io: Io): boolean =>
  canShowScreen(flags, io) && !isStdoutClaimed(flags, io)

const nothing = (): void => undefined

const createLines = (io: Io): CertificationDisplay => ({
  onProgress: nothing,
  onExchange: nothing,
  ask: io.isTTY && !isCi(io.env) ? createLineQuestion(io) : undefined,
  end: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
})

async function openScreen(
  flags: CertifyFlags,
  plan: CertificationPlan,
  stopping: StopSignal,
  io: Io,
): Promise<CertificationDisplay> {
  const { openTerminal } = await import('../../core/runtime/terminal.ts')
  const { suspendToShell } = await import('../../core/runtime/line-prompt.ts')
  const { appearanceOf } = await import('../../terminal/dashboard/view/appearance.ts')
  const { showCertification } = await import('../screen/show-certification.ts')
  const { theme, glyphs } = flags
  const colour = flags['no-color'] ? false : undefined
  const closing = new AbortController()
  let isStopped = false
  const screen = showCertification({
    heading: {
      role: plan.role,
      service: plan.url,
      procedures: plannedCatalogue(plan).procedures,
    },
    appearance: appearanceOf(io.env, compact({ colour, theme, glyphs })),
    // Signals are handled through `io`, as without a screen; the terminal must not act on them.
    openTerminal: () => openTerminal({ onSignal: nothing }),
    onStop() {
      isStopped = true
      stopping.stop()
    },
    suspend: suspendToShell,
    signal: closing.signal,
  })
  // The operator who stops it sees it end; a signal closes the screen at once.
  const interrupted = (): void => {
    if (!isStopped) closing.abort()
  }
  stopping.signal.addEventListener('abort', interrupted, { once: true })
  /** One who does not wait for the end has the terminal back. */
  const closed = screen.closed.then(screen.close)
  return {
    onProgress: screen.onProgress,
    onExchange: screen.onExchange,
    ask: screen.ask,
    async end(reported) {
      const { report, exchanges } = reported
      screen.onEnd({ report, linesOf: (result) => resultLines(result, exchanges) })
      await closed
      const style = { color: io.color, quiet: false }
      await printLine(io.stdout, (certifyPretty.finish?.(reported, style) ?? '').trimEnd())
    },
    async [Symbol.asyncDispose]() {
      stopping.signal.removeEventListener('abort', interrupted)
      await screen.close()
      await closed
    },
  }
}

export const openCertificationDisplay = async (
  flags: CertifyFlags,
  plan: CertificationPlan,
  stopping: StopSignal,
  io: Io,
): Promise<CertificationDisplay> =>
  isCertificationOnScreen(flags, io) ? openScreen(flags, plan, stopping, io) : createLines(io)
