/** The driver `both`: our counterparts decide again as the recorded partner did, and your service lives through it. */
import { problem } from '../../problem.ts'
import { decisionsOf } from '../../scenario/from-recording/decisions.ts'
import type { Timing } from '../../scenario/from-recording/steps-of.ts'
import { replayByDecisions } from '../../session-redrive.ts'
import { sayLine } from '../io.ts'
import { readSessionOptions } from '../session-options.ts'
import { plain } from '../table.ts'
import { defineDriver } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { paceOf } from './pace.ts'
import { checkedTarget } from './target.ts'

/** What only makes sense where recorded requests are sent as they were. */
const ofRequests = ['rate', 'step', 'anchor', 'max-gap', 'same-ids', 'dup', 'only'] as const

function timingOf(flags: ReplayFlags): Timing {
  const { mode, speed } = paceOf(flags)
  return mode === 'asap' ? 'asap' : (speed ?? 'original')
}

export const both = defineDriver({
  check(flags) {
    const given = ofRequests.find((name) => flags[name] !== undefined)
    if (given !== undefined)
      throw problem(
        `reading --${given}`,
        'it is about requests that are sent again, and here the partner decides again',
        'Leave it out, or say --as client.',
      )
    if (flags.to !== undefined) checkedTarget(flags.to, flags['allow-target'])
    timingOf(flags)
  },
  async run({ flags, io, content, seed, rules, signal }) {
    const { input } = await readSessionOptions(
      {
        ...(flags.config === undefined ? {} : { config: flags.config }),
        ...(flags.fault === undefined ? {} : { fault: flags.fault }),
        // Your service calls ours, so they are where it looks for them, unless somebody says otherwise.
        ...(flags.port === undefined ? {} : { port: flags.port }),
        seed,
      },
      io.cwd,
    )
    const { subject: configured, recording: _recording, ...session } = input
    const to = flags.to ?? configured?.url
    if (to === undefined && decisionsOf(content).subject !== 'nobody')
      throw problem(
        'replaying',
        'nobody says where your service answers',
        'Say it with --to <url>.',
      )
    return replayByDecisions({
      ...session,
      recording: content,
      seed,
      rules,
      signal,
      timing: timingOf(flags),
      ...(configured ? { subject: configured } : {}),
      ...(to === undefined ? {} : { to: checkedTarget(to, flags['allow-target']) }),
      ...(flags.role === undefined ? {} : { role: flags.role }),
      ...(flags.record === undefined ? {} : { record: flags.record }),
      onWarning: (text) => void sayLine(io.stderr, plain(`sparring: ${text}`)),
    })
  },
})
