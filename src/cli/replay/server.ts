/** The driver `server`: answers the subject's calls from the recording until it is stopped. */
import { compact } from '../../compact.ts'
import { openPlayback } from '../../session/replay/replay.ts'
import { durationOf } from '../duration-of.ts'
import { sayLine } from '../io.ts'
import { announceReady } from '../ready.ts'
import { answerLine } from './answer-line.ts'
import { answersOf } from './answers.ts'
import { defineDriver } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { refuseForeign } from './driver-flags.ts'
import { onlyOf } from './only-filter.ts'
import { paceOf } from './pace.ts'
import { sessionOf } from './replay-session.ts'
import { checkedTarget } from './target.ts'

const urlOf = ({ subject, to }: ReplayFlags): string | undefined => subject ?? to

const idleOf = ({ idle }: ReplayFlags) =>
  idle === undefined ? {} : { idleMs: durationOf(idle, 'reading --idle') }

export const server = defineDriver({
  isServing: true,
  check(flags) {
    refuseForeign(flags, 'server')
    const url = urlOf(flags)
    if (url !== undefined) checkedTarget(url, flags['allow-target'])
    paceOf(flags)
    onlyOf(flags.only)
    idleOf(flags)
  },
  async run(drive) {
    const { flags, io, content, seed, rules, signal } = drive
    const { configured, session } = await sessionOf(drive, flags.port)
    const to = urlOf(flags) ?? configured?.url
    const { role, record } = flags
    const answers = answersOf(flags, io)
    await using playback = await openPlayback(
      {
        ...session,
        recording: content,
        ...(to === undefined ? {} : { to: checkedTarget(to, flags['allow-target']) }),
        seed,
        rules,
        signal,
        clock: 'real',
        pace: paceOf(flags),
        only: onlyOf(flags.only),
        sameIds: flags['same-ids'] === true,
        replayHeaders: flags['no-replay-headers'] !== true,
        answers,
        serves: { untilAll: flags.until === 'all', ...idleOf(flags) },
        ...compact({ role, record }),
      },
      {
        onReplayed(replayed) {
          if (!flags.quiet) void sayLine(io.stderr, answerLine(replayed))
        },
      },
    )
    const counterparts = Object.fromEntries(playback.session.urls)
    await using _ready = await announceReady({ counterparts }, flags, io)
    return await playback.run()
  },
})
