/** Parses and validates the flags of `sparring import` before the file is read. */
import { basename, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { readWhole, textOfBytes } from '../../../core/runtime/files/text-file.ts'
import { rawRecordingRefusal } from '../../../core/runtime/recording/raw-recording.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { findClosestName } from '../../../core/protocol/closest-name.ts'
import { type Role, roleNamed, roleNamesText, roles } from '../../../core/protocol/role.ts'
import { rawChoiceOf } from '../../../terminal/cli/flags.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import type { ImportOptions } from './import-flags.ts'

export interface HostRole {
  readonly base: string
  readonly role: Role
}

/** `https://partner.example=ordering-application` */
export function parseHostRole(text: string): HostRole {
  const cut = text.lastIndexOf('=')
  const base = text.slice(0, cut)
  const name = text.slice(cut + 1)
  const role = roleNamed(name)
  const attempted = `reading --host ${text}`
  if (cut < 0 || !URL.canParse(base))
    throw problem(
      attempted,
      'it names no URL',
      'Write it as https://partner.example=ordering-application',
    )
  if (role) return { base, role }
  const near = findClosestName(name, roles)
  throw problem(
    attempted,
    `there is no role "${name}"`,
    near === undefined ? `Name one of ${roleNamesText}.` : `Did you mean ${near}?`,
  )
}

/** Reads a mapping file: YAML, and so JSON too. */
export async function readMapping(file: string, io: Pick<Io, 'cwd'>): Promise<unknown> {
  const attempted = `reading the mapping ${file}`
  const text = textOfBytes(await readWhole(attempted, resolve(io.cwd, file), { pipes: true }))
  try {
    return parse(text) as unknown
  } catch (error) {
    const because = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw problem(attempted, `it is no YAML and no JSON (${because})`, 'Mend the file')
  }
}

/** Name of the recording: the file name without its extensions. */
export const recordingNameOf = (file: string): string =>
  file === '-'
    ? 'imported'
    : basename(file)
        .replace(/\.(?:gz|zst|zip|zz|z)$/i, '')
        .replace(/(?:\.rec)?\.[a-z\d]{1,8}$/i, '')

/** Path of the recording; a raw one only at a git-ignored location. */
export function importOutputFile(
  options: ImportOptions,
  format: string,
  io: Pick<Io, 'cwd'>,
): string {
  const { output, file, name } = options
  const { raw, unsafe } = rawChoiceOf(options)
  const suffix = format === 'recording' && !raw ? '-clean' : ''
  const plain = `${name ?? recordingNameOf(file)}${suffix}.rec.ndjson`
  const target =
    output === '-'
      ? output
      : resolve(io.cwd, output ?? join('recordings', ...(raw ? ['raw'] : []), plain))
  const objection = raw && !unsafe ? rawRecordingRefusal(target) : undefined
  if (objection !== undefined) throw new Problem(objection, 2)
  return target
}
