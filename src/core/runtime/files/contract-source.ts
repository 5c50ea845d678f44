/**
 * Reads an OpenAPI document with the files that it refers to: from the disk, or from files that were stored together. What is
 * wrong with a file is reported with its line.
 */
import { homedir } from 'node:os'
import { dirname, extname, parse, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContractProblem } from '../../rules/contract/contract.ts'
import {
  type ContractFile,
  type ContractSource,
  documentReferences,
  referencedFile,
} from '../../rules/contract/source.ts'
import { Problem, problem } from '../../base/problem.ts'
import { shortValue } from '../../protocol/issue-text.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { isTooDeep } from '../server/request-body.ts'
import { isDataText, parseDataText } from './data-file.ts'
import { isInFolder } from './file-access.ts'
import type { ParsedText } from './source-location.ts'
import { readTextBytes, textOfBytes } from './text-file.ts'

/** Where the files of a contract are. */
export interface ContractStorage {
  /** The name of a file in messages. */
  readonly nameOf: (url: string) => string
  /** Why a file that another one refers to is none of the contract; undefined where it is one. */
  readonly refusal?: (url: string) => string | undefined
  /** Throws a `Problem` for a file that cannot be read. */
  readonly read: (url: string, name: string) => Promise<ContractFile>
}

/** Maximum number of files of one contract. */
const maxFiles = 500
/** Maximum number of errors that are listed. */
const maxErrors = 10

const messageOf = ({ place, wrong, remedy }: ContractProblem): string =>
  problem(`reading ${place}`, wrong, remedy).message

export function contractProblem(problems: readonly ContractProblem[]): Problem {
  const shown = problems.slice(0, maxErrors).map(messageOf)
  const more =
    problems.length > maxErrors ? [`and ${problems.length - maxErrors} more like these`] : []
  return new Problem([...shown, ...more].join('\n'), 2)
}

/** The path relative to the folder, where that is shorter. */
function nameOnDisk(url: string, folder: string): string {
  const path = fileURLToPath(url)
  const near = relative(folder, path)
  return near === '' || near.length > path.length ? path : near
}

/** Valid JSON without its places, which take three times as long to find: they are found when one is asked for. */
async function parseJsonFile(name: string, bytes: Uint8Array): Promise<ContractFile | undefined> {
  const text = textOfBytes(bytes)
  if (isTooDeep(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { parseJsonText } = await import('./source-location.ts')
  let parsed: ParsedText | undefined
  return {
    name,
    bytes,
    value,
    lineOf: (at) => (parsed ??= parseJsonText(text)).locationOf([...at], 'value').line,
  }
}

/** A file from its bytes. A document is data: what another name says is not read, and nothing is run. */
async function fileOf(name: string, bytes: Uint8Array): Promise<ContractFile> {
  if (!isDataText(name))
    throw problem(
      `reading ${name}`,
      `an OpenAPI document is YAML or JSON, and ${extname(name) || 'no extension'} says neither`,
      'Name it .yaml or .json.',
    )
  const json = name.endsWith('.json') ? await parseJsonFile(name, bytes) : undefined
  if (json) return json
  const { value, error, locationOf } = await parseDataText(name, textOfBytes(bytes))
  if (error) {
    const { line, column } = error.place
    throw problem(`reading ${name}:${line}:${column}`, error.message, 'Correct it there.')
  }
  return { name, bytes, value, lineOf: (at) => locationOf([...at], 'value')?.line }
}

/**
 * The folder in which a document may refer to files: that of the command line, where it is above the document and no more
 * than a project, else that of the document.
 */
function folderOfReferences(root: string, folder: string): string {
  const own = dirname(fileURLToPath(root))
  const isProject = folder !== parse(folder).root && folder !== homedir()
  return isProject && isInFolder(own, folder) ? folder : own
}

/** Files of this machine, named relative to the folder; those that the document at `root` refers to stay in a folder. */
export function contractsOnDisk(root: string, folder: string): ContractStorage {
  const limit = folderOfReferences(root, folder)
  return {
    nameOf: (url) => nameOnDisk(url, folder),
    refusal: (url) =>
      isInFolder(fileURLToPath(url), limit)
        ? undefined
        : `the reference to ${fileURLToPath(url)} leads out of ${limit}, and a contract takes no files from elsewhere`,
    async read(url, name) {
      const path = fileURLToPath(url)
      return fileOf(name, isDataText(name) ? await readTextBytes(name, path) : Buffer.of())
    },
  }
}

/** Files that were stored: the name and the bytes of each by its URL. */
export const storedContracts = (
  files: ReadonlyMap<string, Pick<ContractFile, 'name' | 'bytes'>>,
): ContractStorage => ({
  nameOf: (url) => files.get(url)?.name ?? url,
  async read(url, name) {
    const stored = files.get(url)
    if (!stored) throw problem(`reading ${name}`, 'it was not stored', 'Store it as well.')
    return fileOf(name, stored.bytes)
  },
})

/** Refuses other documents and versions before anything in them is looked at. */
function checkKind({ name, value, lineOf }: ContractFile): void {
  const { openapi, swagger } = isUnknownRecord(value) ? value : {}
  if (swagger !== undefined)
    throw problem(
      `reading ${name}:${lineOf(['swagger'])}`,
      `it is a document of Swagger ${shortValue(swagger)}, and a contract is one of OpenAPI 3.0 or 3.1`,
      'Convert it, for example with npx swagger2openapi.',
    )
  if (openapi === undefined)
    throw problem(
      `reading ${name}`,
      'it is no OpenAPI document: it has no openapi: with its version',
      'Name one of OpenAPI 3.0 or 3.1.',
    )
  if (typeof openapi !== 'string' || !/^3\.[01]\.\d/.test(openapi))
    throw problem(
      `reading ${name}:${lineOf(['openapi'])}`,
      `its version is ${shortValue(openapi)}, and 3.0.x and 3.1.x are understood`,
      'Name a document of one of these.',
    )
}

const besideRemedy = 'Save it beside this file, and refer to it by its path.'

/** The document and, one after the other, the files that it refers to. */
export async function readContractSource(
  root: string,
  { nameOf, read, refusal }: ContractStorage,
): Promise<ContractSource> {
  const files = new Map<string, ContractFile>()
  const problems: ContractProblem[] = []
  const left: { readonly url: string; readonly place?: () => string }[] = [{ url: root }]
  for (let next = left.shift(); next; next = left.shift()) {
    const { url, place } = next
    if (files.has(url)) continue
    if (files.size >= maxFiles)
      throw problem(
        `reading ${nameOf(root)}`,
        `it refers to more than ${maxFiles} files`,
        'Bundle it.',
      )
    const outside = place && refusal?.(url)
    if (place && outside !== undefined) {
      problems.push({ place: place(), wrong: outside, remedy: besideRemedy })
      continue
    }
    const file = await read(url, nameOf(url)).catch((error: unknown): undefined => {
      if (!(error instanceof Problem) || place === undefined) throw error
      problems.push({ place: place(), wrong: error.message.replace(/^reading /, ''), remedy: '' })
    })
    if (!file) continue
    files.set(url, file)
    if (url === root) checkKind(file)
    for (const { reference, path } of documentReferences(file.value)) {
      const at = (): string => `${file.name}:${file.lineOf(path)}`
      const target = referencedFile(reference, url)
      if (target.ok) left.push({ url: target.value, place: at })
      else problems.push({ place: at(), wrong: target.error, remedy: besideRemedy })
    }
  }
  if (problems.length > 0) throw contractProblem(problems)
  return { root, files }
}
