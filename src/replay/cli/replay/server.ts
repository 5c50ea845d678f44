/** The driver `server`: answers the subject's calls from the recording until it is stopped. */
import { compact } from '../../../core/base/compact.ts'
import { recordedSubjectRole } from '../../playback/replay/options.ts'
import { openPlayback } from '../../playback/replay/replay.ts'
import { parseDurationArgument } from '../../../terminal/cli/parse-duration-argument.ts'
import { printLine } from '../../../terminal/cli/io.ts'
import { announceReady, removeStaleReadyFile } from '../../../terminal/cli/ready.ts'
import { startRegistration } from '../../../terminal/cli/registered-session.ts'
import {
  parseAnswerFlags,
  recordFileOf,
  allowedTarget,
  parseOnlyFilter,
  parseReplayPace,
  rejectForeignFlags,
} from './flag-values.ts'
import { defineDriver, readReplaySession } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { parseFrom } from './edits.ts'
import type { ReplayedExchange } from '../../../core/traffic/recording/replay-report.ts'
import { exchangeHeading, isDeviation, deviationLines } from '../compare/wording.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'

const urlOf = ({ subject, to }: ReplayFlags): string | undefined => subject ?? to

const idleOf = ({ idle }: ReplayFlags) =>
  idle === undefined ? {} : { idleMs: parseDurationArgument(idle, 'reading --idle') }

export const serverDriver = defineDriver({
  isServing: true,
  check(flags) {
    rejectForeignFlags(flags, 'server')
    const url = urlOf(flags)
    if (url !== undefined) allowedTarget(url, flags['allow-target'])
    parseReplayPace(flags)
    parseOnlyFilter(flags.only)
    parseFrom(flags.from)
    idleOf(flags)
  },
  async run(drive) {
    const { flags, io, content, seed, rules, edited, signal } = drive
    const from = parseFrom(flags.from, content)
    const { configured, session } = await readReplaySession(drive)
    const to = urlOf(flags) ?? configured?.url
    const { as: role } = flags
    const answers = parseAnswerFlags(flags, io)
    const record = await recordFileOf(flags, answers, content, io)
    await using playback = await openPlayback(
      {
        ...session,
        recording: content,
        ...(to === undefined ? {} : { to: allowedTarget(to, flags['allow-target']) }),
        seed,
        rules,
        signal,
        clock: 'real',
        pace: parseReplayPace(flags),
        only: parseOnlyFilter(flags.only),
        sameIds: flags['same-ids'] === true,
        replayHeaders: flags['no-replay-headers'] !== true,
        answers,
        serves: {
          untilAll: flags.until === 'all' || drive.settleMs !== undefined,
          ...compact({ settleMs: drive.settleMs }),
          ...idleOf(flags),
        },
        ...compact({ subject: configured, edited, role, from, record }),
      },
      {
        onReplayed(replayed) {
          if (drive.isEnough?.(replayed)) playback.stop()
          if (!flags.quiet && drive.settleMs === undefined)
            void printLine(io.stderr, answerLine(replayed))
        },
      },
    )
    removeStaleReadyFile(flags, io)
    drive.service?.start()
    const counterparts = Object.fromEntries(playback.session.urls)
    using _registered = await startRegistration(
      {
        verb: 'replay',
        urls: playback.session.urls,
        subject: { role: role ?? recordedSubjectRole(content), url: to },
        seed,
        recording: flags.recording,
      },
      io,
    )
    using _ready = await announceReady({ counterparts, seed }, flags, io, signal)
    return await playback.run()
  },
})

/** The log line of a replayed exchange: match strategy or status, call, response status and reason. */
function answerLine(replayed: ReplayedExchange): string {
  const { strategy, standing, live, because } = replayed
  const status = live?.reply?.status ?? live?.failure?.code ?? 'no answer'
  const [why] = isDeviation(replayed)
    ? deviationLines(replayed)
    : because === undefined
      ? []
      : [because]
  return escapeControls(
    [
      (strategy ?? standing).padEnd(7),
      exchangeHeading(replayed),
      status,
      ...(why === undefined ? [] : [why]),
    ].join('  '),
  )
}
