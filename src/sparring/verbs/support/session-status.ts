/** What `sparring status` prints of each session. The token of a session is never printed. */
import { resolve } from 'node:path'
import { sessionAnswers } from '../../../core/runtime/registry/session-answers.ts'
import type {
  RegisteredSession,
  SessionRegistry,
} from '../../../core/runtime/registry/session-registry.ts'
import { serviceText, sinceText, stopCommand } from '../../../core/runtime/registry/session-text.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'

export async function reportBrokenFiles({ broken }: SessionRegistry, io: Io): Promise<void> {
  for (const { file, wrong } of broken)
    await printLine(
      io.stderr,
      `sparring: the session file ${resolve(file)} was left out: ${wrong}. Remove it if no session of yours wrote it.`,
    )
}

/** What scripts read: a promise as `ready.json` is. */
export async function sessionJson(session: RegisteredSession) {
  const { pid, verb, cwd, version, role, subject, control, counterparts, seed, recording } = session
  const since = new Date(session.since).toISOString()
  const answers = await sessionAnswers(session)
  const started = { pid, verb, since, cwd, version, answers }
  return { ...started, role, subject, control, counterparts, seed, recording }
}

const recordingLabels = {
  up: 'recording',
  record: 'recording',
  replay: 'replays',
  mcp: 'recording',
} as const

export async function sessionText(session: RegisteredSession): Promise<string> {
  const { pid, verb, cwd, control, counterparts, seed, recording } = session
  const answers = (await sessionAnswers(session)) ? '' : ' (does not answer)'
  const rows: readonly (readonly [label: string, value: string | undefined])[] = [
    ['your service', serviceText(session)],
    ['control', control && `${control}${answers}`],
    ...Object.entries(counterparts).map(([role, url]) => [role, url] as const),
    ['seed', seed === undefined ? undefined : String(seed)],
    [recordingLabels[verb], recording],
    ['folder', cwd],
    ['stop it with', stopCommand(session)],
  ]
  const present = rows.filter((row): row is [string, string] => row[1] !== undefined)
  const width = Math.max(...present.map(([label]) => label.length))
  const unanswered = control === undefined ? answers : ''
  return [
    `${pid}  sparring ${verb}, since ${sinceText(session)}${unanswered}`,
    ...present.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`),
  ].join('\n')
}
