/** The driver `server`: your service calls, and is answered from the recording until somebody stops it. */
import { problem } from '../../problem.ts'
import { openPlayback } from '../../session-playback.ts'
import { durationOf } from '../duration-of.ts'
import { sayLine } from '../io.ts'
import { announceReady } from '../ready.ts'
import { readSessionOptions } from '../session-options.ts'
import { answerLine } from './answer-line.ts'
import { answersOf } from './answers.ts'
import { defineDriver } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { onlyOf } from './only.ts'
import { paceOf } from './pace.ts'
import { checkedTarget } from './target.ts'

/** What only makes sense where the recording is sent through to its end. */
const ofSending = ['step', 'twice', 'dup'] as const

const urlOf = ({ subject, to }: ReplayFlags): string | undefined => subject ?? to

const idleOf = ({ idle }: ReplayFlags) =>
  idle === undefined ? {} : { idleMs: durationOf(idle, 'reading --idle') }

export const server = defineDriver({
  isServing: true,
  check(flags) {
    const given = ofSending.find((name) => flags[name] !== undefined)
    if (given !== undefined)
      throw problem(
        `reading --${given}`,
        'it is about a recording that is sent to its end, and here your service decides what happens',
        'Leave it out, or say --as client.',
      )
    const url = urlOf(flags)
    if (url !== undefined) checkedTarget(url, flags['allow-target'])
    paceOf(flags)
    onlyOf(flags.only)
    idleOf(flags)
  },
  async run({ flags, io, content, seed, rules, signal }) {
    const { input } = await readSessionOptions(
      {
        ...(flags.config === undefined ? {} : { config: flags.config }),
        ...(flags.fault === undefined ? {} : { fault: flags.fault }),
        ...(flags.port === undefined ? {} : { port: flags.port }),
        seed,
      },
      io.cwd,
    )
    const { subject: configured, recording: _recording, ...session } = input
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
        ...(role === undefined ? {} : { role }),
        ...(record === undefined ? {} : { record }),
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
