/** The driver `partner`: our counterparts repeat the recorded partner's decisions against the live subject. */
import { compact } from '../../../core/base/compact.ts'
import { problem } from '../../../core/base/problem.ts'
import { decisionsOf } from '../../from-recording/decisions.ts'
import type { StepTiming } from '../../from-recording/steps-of.ts'
import { replayByDecisions } from '../../playback/replay/redrive.ts'
import { printLine } from '../../../terminal/cli/io.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { defineDriver, type DriverInput, readReplaySession } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { ensureSubjectReady } from './subject-ready.ts'
import { allowedTarget, parseReplayPace, rejectForeignFlags } from './flag-values.ts'

function timingOf(flags: ReplayFlags): StepTiming {
  const { mode, speed } = parseReplayPace(flags)
  return mode === 'asap' ? 'asap' : (speed ?? 'original')
}

/**
 * A trial takes its limits from the recording, in time of its session: the clock goes as fast as it did there, unless the
 * configuration has another speed.
 */
function trialSpeed({ content, settleMs }: DriverInput, configured: number | undefined) {
  const { clock } = content.header._rec
  return settleMs === undefined || configured !== undefined || clock?.mode !== 'real'
    ? {}
    : { speed: clock.speed }
}

export const partnerDriver = defineDriver({
  check(flags) {
    rejectForeignFlags(flags, 'partner')
    if (flags.to !== undefined) allowedTarget(flags.to, flags['allow-target'])
    timingOf(flags)
  },
  async run(drive) {
    const { flags, io, content, seed, rules, signal, service } = drive
    const { configured, session, configuration } = await readReplaySession(drive)
    const to = flags.to ?? configured?.url
    if (to === undefined && decisionsOf(content).subject !== 'none')
      throw problem('replaying', 'no URL of your service is given', 'Say it with --to <url>.')
    const url = to === undefined ? undefined : allowedTarget(to, flags['allow-target'])
    const { exchanges } = content
    const onWarning = (text: string): void =>
      void printLine(io.stderr, escapeControls(`sparring: ${text}`))
    return replayByDecisions({
      ...session,
      ...trialSpeed(drive, session.speed),
      recording: content,
      seed,
      rules,
      signal,
      timing: timingOf(flags),
      ...compact({ subject: configured }),
      ...(url === undefined
        ? {}
        : {
            to: url,
            met(ours) {
              service?.start()
              const subject = { url, configuration, exchanges, ...compact({ service }) }
              return ensureSubjectReady(ours, { ...subject, signal, onWarning })
            },
          }),
      ...compact({ role: flags.as, record: flags.record }),
      ...(drive.settleMs === undefined
        ? {}
        : { settle: { ms: drive.settleMs, orderId: drive.orderId, invariant: drive.invariant } }),
      onWarning,
    })
  },
})
