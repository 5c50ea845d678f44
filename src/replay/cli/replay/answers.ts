/** Parses the flags for answering the subject from the recording. */
import { resolve } from 'node:path'
import { compact } from '../../../core/base/compact.ts'
import { problem } from '../../../core/base/problem.ts'
import type { OutgoingReply } from '../../../core/runtime/server/messages.ts'
import { type AnswerOptions, recordedSubjectRole } from '../../playback/replay/options.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { parseDurationArgument } from '../../../terminal/cli/parse-duration-argument.ts'
import { defaultRecordingFile } from '../../../terminal/cli/default-recording-file.ts'
import { type Io, isCi, printLine } from '../../../terminal/cli/io.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { allowedTarget } from './flag-values.ts'
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
function parseOnMiss(
  text: string | undefined,
  allowed: readonly string[] | undefined,
): OnMiss | undefined {
  if (text === undefined || text === 'fail') return undefined
  if (text === 'synth') return 'synth'
  if (text.startsWith('forward='))
    return { forward: allowedTarget(text.slice('forward='.length), allowed, '--on-miss') }
  const status = /^[1-5]\d\d$/.test(text) ? Number(text) : 0
  if (status >= 200) {
    const answer = fixedReply(status)
    return () => answer
  }
  throw problem(
    'reading --on-miss',
    `"${text}" is no way to answer`,
    'Write fail, synth, forward=<url>, or a status such as 404.',
  )
}

/** The file of the replay: what is passed on is recorded in any case. */
export async function recordFileOf(
  { record, quiet, as: role }: ReplayFlags,
  { onMiss }: AnswerOptions,
  content: RecordingContent,
  io: Io,
): Promise<string | undefined> {
  if (typeof onMiss !== 'object') return record
  const file = record ?? defaultRecordingFile(role ?? recordedSubjectRole(content))
  if (!quiet)
    await printLine(
      io.stderr,
      escapeControls(
        `what the recording does not know is passed on to ${onMiss.forward}, and all is recorded: ${file}`,
      ),
    )
  return resolve(io.cwd, file)
}

/** On an interactive terminal misses are synthesised, elsewhere they fail. */
const isInteractive = ({ isTTY, env }: Io): boolean => isTTY && !isCi(env)

export function parseAnswerFlags(flags: ReplayFlags, io: Io): AnswerOptions {
  const { synth, 'call-timeout': callTimeout } = flags
  const explicit = parseOnMiss(flags['on-miss'], flags['allow-target'])
  if (synth && flags['on-miss'] !== undefined && explicit !== 'synth')
    throw problem('reading --synth', 'it and --on-miss exclude each other', 'Leave out one.')
  const onMiss =
    explicit ??
    (synth || (flags['on-miss'] === undefined && isInteractive(io)) ? 'synth' : undefined)
  return {
    ...compact({ onMiss }),
    faithfulFailures: flags['faithful-failures'] === true,
    requireAll: flags['require-all'] === true,
    ...(callTimeout === undefined
      ? {}
      : { callTimeoutMs: parseDurationArgument(callTimeout, 'reading --call-timeout') }),
  }
}
