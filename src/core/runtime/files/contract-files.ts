/**
 * Makes a contract of an OpenAPI document with the files that it refers to, and checks it. What was read from the disk is kept
 * while its files stay as they are, so that the sessions of one process compile it once.
 */
import { stat } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ContractReference } from '../../session-api/configuration/contract.ts'
import type { Contract, ContractProblem } from '../../rules/contract/contract.ts'
import {
  type ContractSource,
  documentReferences,
  resolveReference,
} from '../../rules/contract/source.ts'
import type { Role } from '../../protocol/role.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { contractProblem, contractsOnDisk, readContractSource } from './contract-source.ts'

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
  // A copy: the validator adds to its input.
  const { valid, errors } = await new Validator().validate(structuredClone(root.value))
  // A text is about references, which lead to other files here, and were checked.
  if (valid || !Array.isArray(errors)) return undefined
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

/** Throws a `Problem` that names file and line where the document is no contract. */
export async function contractOf(
  source: ContractSource,
  role: Role | undefined,
): Promise<Contract> {
  const dangling = danglingReferences(source)
  if (dangling.length > 0) throw contractProblem(dangling)
  const structure = await structureProblem(source)
  if (structure) throw contractProblem([structure])
  // Loaded only where there is a contract.
  const { createContract } = await import('../../rules/contract/contract.ts')
  const contract = createContract(source, role)
  if (!contract.ok) throw contractProblem([contract.error])
  return contract.value
}

interface KeptContract {
  readonly contract: Contract
  /** The files, each with the time of its change. */
  readonly changedAt: ReadonlyMap<string, number>
}

/** Maximum number of contracts that are kept. */
const maxKept = 8
const kept = new Map<string, KeptContract>()

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

/** Maximum number of documents whose folder is known. */
const maxFolders = 1000
/** By document, the folder that it was read with last: a session that opens later reads it with the same. */
const folders = new Map<string, string>()

/**
 * Reads a contract, whose files are named relative to the folder of the command line, and may be in it or beside the
 * document; throws a `Problem` where it is none.
 */
export async function readContract(
  { file, role }: ContractReference,
  named?: string,
): Promise<Contract> {
  const root = pathToFileURL(file).href
  const folder = named ?? folders.get(root) ?? process.cwd()
  if (folders.size >= maxFolders) folders.clear()
  folders.set(root, folder)
  const key = JSON.stringify([role, root, folder])
  const known = kept.get(key)
  if (known && (await isUnchanged(known))) return known.contract
  const contract = await contractOf(
    await readContractSource(root, contractsOnDisk(root, folder)),
    role,
  )
  if (kept.size >= maxKept) kept.clear()
  kept.set(key, {
    contract,
    changedAt: await changeTimes([...contract.source.files.keys()]),
  })
  return contract
}
