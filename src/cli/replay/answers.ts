/** Parses the flags for answering the subject from the recording. */
import { compact } from '../../compact.ts'
import { problem } from '../../problem.ts'
import type { OutgoingReply } from '../../edge/server/messages.ts'
import type { AnswerOptions } from '../../session/replay/options.ts'
import { parseDurationArgument } from '../parse-duration-argument.ts'
import { type Io, isCi } from '../io.ts'
import type { ReplayFlags } from './flags.ts'

type OnMiss = NonNullable<AnswerOptions['onMiss']>

const json = { 'content-type': 'application/json; charset=utf-8' } as const

/** The fixed reply to calls that the recording does not contain. */
const fixedReply = (status: number): OutgoingReply =>
  status === 204
    ? { status, headers: {} }
    : {
        status,
        headers: json,
        body: JSON.stringify({ error: { code: 'NOT_RECORDED', message: 'not in the recording' } }),
      }

/** Parses `--on-miss`; undefined is the default, a 501 with the reason. */
function parseOnMiss(text: string | undefined): OnMiss | undefined {
  if (text === undefined || text === 'fail') return undefined
  if (text === 'synth') return 'synth'
  const status = /^[1-5]\d\d$/.test(text) ? Number(text) : 0
  if (status >= 200) {
    const answer = fixedReply(status)
    return () => answer
  }
  throw problem(
    'reading --on-miss',
    `"${text}" is no way to answer`,
    'Write fail, synth, or a status such as 404.',
  )
}

/** On an interactive terminal misses are synthesised, elsewhere they fail. */
const isInteractive = ({ isTTY, env }: Io): boolean => isTTY && !isCi(env)

export function parseAnswerFlags(flags: ReplayFlags, io: Io): AnswerOptions {
  const { synth, patience } = flags
  const explicit = parseOnMiss(flags['on-miss'])
  if (synth && flags['on-miss'] !== undefined && explicit !== 'synth')
    throw problem('reading --synth', 'it and --on-miss exclude each other', 'Leave out one.')
  const onMiss =
    explicit ??
    (synth || (flags['on-miss'] === undefined && isInteractive(io)) ? 'synth' : undefined)
  return {
    ...compact({ onMiss }),
    faithfulFailures: flags['faithful-failures'] === true,
    requireAll: flags['require-all'] === true,
    ...(patience === undefined
      ? {}
      : { patienceMs: parseDurationArgument(patience, 'reading --patience') }),
  }
}
