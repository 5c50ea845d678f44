/** The session file: what a running session says about itself to other programs of the same user. */
import { type UnknownRecord, isUnknownRecord } from '../../protocol/unknown-record.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** The verbs whose sessions last until they are stopped; a process of `mcp` may have several, and outlives them. */
const verbs = ['up', 'record', 'replay', 'mcp'] as const

export interface SessionDetails {
  readonly verb: (typeof verbs)[number]
  /** Role and URL of the user's service. */
  readonly role?: string
  readonly subject?: string
  readonly control?: string
  /** The token of the control API: the file is readable by its owner only. */
  readonly token?: string
  /** The base URL of each role. */
  readonly counterparts: Readonly<Record<string, string>>
  readonly seed?: number
  readonly recording?: string
}

export interface SessionEntry extends SessionDetails, ProcessIdentity {
  readonly format: 1
  /** When the session started, in milliseconds since 1970. */
  readonly since: number
  /** The folder in which it was started. */
  readonly cwd: string
  readonly version: string
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isPid: Check = (value) => isCount(value) && Number(value) > 0
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const isUrl: Check = (value) => typeof value === 'string' && URL.canParse(value)

/** By hand: the verbs that look for a session should not load a schema library for it. */
const checks: Readonly<Record<keyof SessionEntry, Check>> = {
  format: (value) => value === 1,
  pid: isPid,
  place: isText,
  started: orAbsent(isText),
  since: isCount,
  cwd: isText,
  version: isText,
  verb: (value) => verbs.some((verb) => verb === value),
  role: orAbsent(isText),
  subject: orAbsent(isText),
  control: orAbsent(isUrl),
  token: orAbsent(isText),
  counterparts: (value) => isUnknownRecord(value) && Object.values(value).every(isUrl),
  seed: orAbsent(isCount),
  recording: orAbsent(isText),
}

const isEntry = (value: UnknownRecord): value is UnknownRecord & SessionEntry =>
  wrongMember(value) === undefined

const wrongMember = (value: UnknownRecord): string | undefined =>
  Object.entries(checks).find(([name, check]) => !check(value[name]))?.[0]

/** Reads a session file; the error says what is wrong with it. */
export function parseSessionEntry(text: string): Result<SessionEntry, string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return err('it is no JSON')
  }
  if (!isUnknownRecord(value)) return err('it is no JSON object')
  return isEntry(value) ? ok(value) : err(`${wrongMember(value)} is missing or wrong`)
}

/** The ports on which a session listens. */
export const portsOf = ({ control, counterparts }: SessionDetails): readonly number[] =>
  [...(control === undefined ? [] : [control]), ...Object.values(counterparts)].map((url) =>
    portOf(new URL(url)),
  )

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
