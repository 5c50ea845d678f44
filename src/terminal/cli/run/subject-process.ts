/** The process of a subject that `--start` gives: starts, stops and restarts it. */
import type { Configuration } from '../../../core/session-api/configuration/schema.ts'
import type { PreparedSession } from '../../../core/session/types.ts'
import type { Io } from '../io.ts'
import { createProcessOutput, type ProcessOutput } from './process-output.ts'
import { fillPlaceholders, startSubject, type StartedSubject } from './start-subject.ts'
import { subjectEnvironmentOf } from './subject-environment.ts'

export interface SubjectProcess {
  readonly start: () => void
  readonly stop: () => Promise<void>
  readonly current: () => StartedSubject | undefined
  /** Of all its processes, where it is started again. */
  readonly output: ProcessOutput
}

export interface SubjectProcessOptions {
  readonly configuration: Configuration
  readonly channel: string
  /** Our URLs. */
  readonly session: Pick<PreparedSession, 'urls'>
  /** The command of `--start`; without it nothing is ever started. */
  readonly start: string | undefined
  readonly io: Io
  /** Called with how it ended, when it was not stopped. */
  readonly onEnd: (how: string) => void
}

export function createSubjectProcess(options: SubjectProcessOptions): SubjectProcess {
  const { session, start, io, onEnd } = options
  let current: StartedSubject | undefined
  const output = createProcessOutput()
  return {
    current: () => current,
    output,
    start() {
      if (start === undefined) return
      const { placeholders, env } = subjectEnvironmentOf(options, session)
      const started = startSubject(
        fillPlaceholders(start, placeholders),
        { ...io.env, ...env },
        io.cwd,
        output,
      )
      current = started
      // A process that is stopped on purpose is no longer the current one, and its end is not reported.
      void started.end.then(() => {
        if (current === started) onEnd(started.endReason() ?? 'it ended')
      })
    },
    async stop() {
      const last = current
      current = undefined
      await last?.stop()
    },
  }
}
