/**
 * Reads an OpenAPI document with the files that it refers to, checks it, and makes a contract of it. What was read is kept
 * while its files stay as they are, so that the sessions of one process compile it once.
 */
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ContractReference } from '../../configuration/contract.ts'
import type { Contract, ContractProblem } from '../../contract/contract.ts'
import {
  type ContractFile,
  type ContractSource,
  referencedFile,
  documentReferences,
  resolveReference,
} from '../../contract/source.ts'
import { shortValue } from '../../protocol/issue-text.ts'
import { Problem, problem } from '../../problem.ts'
import { isTooDeep } from '../server/request-body.ts'
import { readDataFile } from './data-file.ts'
import type { ParsedText } from './source-location.ts'
import { readTextFile } from './text-file.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'

interface KeptContract {
  readonly contract: Contract
  /** The files, each with the time of its change. */
  readonly changedAt: ReadonlyMap<string, number>
}

/** Maximum number of contracts that are kept. */
const maxKept = 8
const kept = new Map<string, KeptContract>()

/** Maximum number of files of one contract. */
const maxFiles = 500
/** Maximum number of errors that are listed. */
const maxErrors = 10

/** The name in messages: relative where that is shorter. */
function shownName(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || near === '' ? path : near
}

const messageOf = ({ place, wrong, remedy }: ContractProblem): string =>
  problem(`reading ${place}`, wrong, remedy).message

function refuse(problems: readonly ContractProblem[]): Problem {
  const shown = problems.slice(0, maxErrors).map(messageOf)
  const more =
    problems.length > maxErrors ? [`and ${problems.length - maxErrors} more like these`] : []
  return new Problem([...shown, ...more].join('\n'), 2)
}

/** A valid JSON file without its places, which take three times as long to find: they are found when one is asked for. */
async function readJsonFile(name: string, path: string): Promise<ContractFile | undefined> {
  const text = await readTextFile(name, path)
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
    value,
    lineOf: (at) => (parsed ??= parseJsonText(text)).locationOf([...at], 'value').line,
  }
}

async function readFile(url: string): Promise<ContractFile> {
  const path = fileURLToPath(url)
  const name = shownName(path)
  const json = path.endsWith('.json') ? await readJsonFile(name, path) : undefined
  if (json) return json
  const { value, error, locationOf } = await readDataFile(name, path, 'an OpenAPI document')
  if (error) {
    const { line, column } = error.place
    throw problem(`reading ${name}:${line}:${column}`, error.message, 'Correct it there.')
  }
  return { name, value, lineOf: (at) => locationOf([...at], 'value')?.line }
}

/** The document and, one after the other, the files that it refers to. */
async function readSource(root: string): Promise<ContractSource> {
  const files = new Map<string, ContractFile>()
  const problems: ContractProblem[] = []
  const left: { readonly url: string; readonly place?: () => string }[] = [{ url: root }]
  for (let next = left.shift(); next; next = left.shift()) {
    const { url, place } = next
    if (files.has(url)) continue
    if (files.size >= maxFiles)
      throw problem(
        `reading ${shownName(fileURLToPath(root))}`,
        `it refers to more than ${maxFiles} files`,
        'Bundle it.',
      )
    const file = await readFile(url).catch((error: unknown): undefined => {
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
      else
        problems.push({
          place: at(),
          wrong: target.error,
          remedy: 'Save it beside this file, and refer to it by its path.',
        })
    }
  }
  if (problems.length > 0) throw refuse(problems)
  return { root, files }
}

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

/** References that lead nowhere, in all files. */
function danglingReferences(source: ContractSource): readonly ContractProblem[] {
  return [...source.files].flatMap(([url, { name, value, lineOf }]) =>
    documentReferences(value).flatMap(({ reference, path }) => {
      const target = resolveReference(source, reference, url)
      if (target.ok) return []
      const place = `${name}:${lineOf(path)}`
      return [
        { place, wrong: `${reference} leads nowhere: ${target.error}`, remedy: 'Correct it.' },
      ]
    }),
  )
}

/** What the schemas of OpenAPI itself say about the document. */
async function structureProblem(source: ContractSource): Promise<ContractProblem | undefined> {
  const root = source.files.get(source.root)
  if (!root || !isUnknownRecord(root.value)) return undefined
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  // A copy: the validator adds to what it is given.
  const { valid, errors } = await new Validator().validate(structuredClone(root.value))
  if (valid) return undefined
  if (!Array.isArray(errors))
    return { place: root.name, wrong: errors ?? 'it is not valid', remedy: 'Correct it.' }
  const depth = (path: string): number => path.split('/').length
  const [deepest] = errors
    .filter(({ keyword }) => !['if', 'oneOf', 'anyOf', 'not'].includes(keyword))
    .toSorted((one, other) => depth(other.instancePath) - depth(one.instancePath))
  const error = deepest ?? errors[0]
  const at = error?.instancePath ?? ''
  const path = at
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { additionalProperty, unevaluatedProperty } = (error?.params ?? {}) as Readonly<
    Record<string, unknown>
  >
  const extra = additionalProperty ?? unevaluatedProperty
  const found = typeof extra === 'string' ? ` (${extra})` : ''
  return {
    place: `${root.name}:${root.lineOf(typeof extra === 'string' ? [...path, extra] : path)}`,
    wrong: `it is no valid OpenAPI: ${at || 'the document'} ${error?.message ?? 'is wrong'}${found}`,
    remedy: 'Correct it there.',
  }
}

async function changeTimes(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = await Promise.all(
    files.map(async (url) => {
      const found = await stat(fileURLToPath(url)).catch(() => undefined)
      return [url, found?.mtimeMs ?? 0] as const
    }),
  )
  return new Map(times)
}

async function isUnchanged({ changedAt }: KeptContract): Promise<boolean> {
  const now = await changeTimes([...changedAt.keys()])
  return [...changedAt].every(([url, at]) => now.get(url) === at)
}

/** Reads a contract; throws a `Problem` that names file and line where it is none. */
export async function readContract({ file, role }: ContractReference): Promise<Contract> {
  const root = pathToFileURL(file).href
  const key = `${role ?? ''} ${root}`
  const known = kept.get(key)
  if (known && (await isUnchanged(known))) return known.contract
  const source = await readSource(root)
  const dangling = danglingReferences(source)
  if (dangling.length > 0) throw refuse(dangling)
  const structure = await structureProblem(source)
  if (structure) throw refuse([structure])
  // Loaded only where there is a contract.
  const { createContract } = await import('../../contract/contract.ts')
  const contract = createContract(source, role)
  if (!contract.ok) throw refuse([contract.error])
  if (kept.size >= maxKept) kept.clear()
  kept.set(key, {
    contract: contract.value,
    changedAt: await changeTimes([...source.files.keys()]),
  })
  return contract.value
}
