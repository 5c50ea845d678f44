/** Unpacks the source of an import, by its content: a compressed stream, or the HAR in a zip archive. */
import { randomUUID } from 'node:crypto'
import { closeSync, createWriteStream, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { problem } from '../../../core/base/problem.ts'
import type { FormatProblem } from '../../formats/format.ts'
import { type ImportSource, type PlainSource, bufferBeginning } from './import-source.ts'
import {
  isRawDeflate,
  packingOf,
  unpack,
  isZip,
  openZipArchive,
  type ZipArchive,
  type ZipMember,
} from './zip-archive.ts'

const maxNames = 10

const packedName = /\.(?:gz|zst|zip|zz|z)$/i

/** `partner.har` of `partner.har.gz` and of `partner.zhar`. */
const unpackedName = (name: string): string =>
  packedName.test(name) ? name.replace(packedName, '') : name.replace(/\.zhar$/i, '.har')

const listOf = (members: readonly ZipMember[]): string =>
  members
    .slice(0, maxNames)
    .map(({ name }) => name)
    .join(', ') + (members.length > maxNames ? ` and ${members.length - maxNames} more` : '')

/** A zip is read from its end, so one from a pipe is kept in a file without a name meanwhile. */
async function openSpooled(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const path = join(tmpdir(), `sparring-${randomUUID()}`)
  try {
    await pipeline(pieces, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return openSync(path, 'r')
  } finally {
    rmSync(path, { force: true })
  }
}

/** The member to import: a HAR, or the only file there is. */
function chooseMember(name: string, { members }: ZipArchive): ZipMember {
  const archives = members.filter((member) => /\.har$/i.test(member.name))
  const chosen = archives[0] ?? (members.length === 1 ? members[0] : undefined)
  if (chosen) return chosen
  throw problem(
    `importing ${name}`,
    members.length === 0
      ? 'it is an empty zip archive'
      : `it is a zip archive without a .har in it; there are ${listOf(members)}`,
    'Unpack it, and name the file in it',
  )
}

async function unpackZip(packed: PlainSource, fd: number): Promise<ImportSource> {
  const { name, bytes: _, ...source } = packed
  const archive = openZipArchive(fd)
  if (!archive.ok)
    throw problem(
      `importing ${name}`,
      `it is a zip archive, and ${archive.error}`,
      'Unpack it with another program, and name the file in it',
    )
  const { members, stream, read } = archive.value
  const chosen = chooseMember(name, archive.value)
  const problems: FormatProblem[] = []
  const others = members.filter((each) => each !== chosen && /\.har$/i.test(each.name))
  if (others.length > 0)
    problems.push({ where: 'the archive', message: `not read: ${listOf(others)}` })
  const byName = new Map(members.map((member) => [member.name, member]))
  const plain = await bufferBeginning(stream(chosen, (wrong) => problems.push(wrong)))
  return {
    ...source,
    ...plain,
    name,
    plainName: chosen.name,
    packing: 'zip',
    attachment(file) {
      const member = byName.get(posix.join(posix.dirname(chosen.name), file))
      return member && read(member)
    },
    problems,
    [Symbol.dispose]() {
      plain.stop()
      closeSync(fd)
    },
  }
}

/** `path`: of a file that can be read from any place. */
export async function unpackSource(
  source: PlainSource,
  path: string | undefined,
  recognises: (beginning: Uint8Array) => boolean,
): Promise<ImportSource> {
  const { name, beginning, pieces, bytes: _, ...rest } = source
  if (isZip(beginning)) {
    const fd = path === undefined ? await openSpooled(pieces) : openSync(path, 'r')
    source.stop()
    try {
      return await unpackZip(source, fd)
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }
  const packing =
    packingOf(beginning) ?? (isRawDeflate(beginning, recognises) ? 'deflate' : undefined)
  if (packing === undefined)
    return { ...source, plainName: name, problems: [], [Symbol.dispose]: source.stop }
  const problems: FormatProblem[] = []
  const plain = await bufferBeginning(unpack(pieces, packing, (wrong) => problems.push(wrong)))
  return {
    ...rest,
    ...plain,
    name,
    plainName: unpackedName(name),
    packing,
    problems,
    [Symbol.dispose]: plain.stop,
  }
}
