/**
 * Contracts that are kept beside a recording: the bytes of their files under paths of their own, from which the same contracts
 * can be made again at another place.
 */
import { createHash } from 'node:crypto'
import type { Contract } from '../../rules/contract/contract.ts'
import { documentReferences } from '../../rules/contract/source.ts'
import type { Role } from '../../protocol/role.ts'
import { contractOf } from './contract-files.ts'
import { readContractSource, storedContracts } from './contract-source.ts'

/** Where the files of a contract were stored. */
export interface StoredContract {
  readonly role: Role
  /** Path of the document. */
  readonly root: string
  /** Path of each file, and its name in messages. */
  readonly files: readonly { readonly path: string; readonly name: string }[]
}

const origin = 'file:///'

/** A relative reference leads upwards this far, as a URL of a folder. */
function folderReached(reference: string, from: string): string {
  const [name = ''] = reference.split('#')
  if (/^(?:[a-z][a-z\d+.-]*:|[/\\])/i.test(name)) return origin
  let folder = new URL('.', from).href
  let highest = folder
  for (const segment of name.split('/').slice(0, -1)) {
    folder = new URL(`${segment}/`, folder).href
    if (folder.length < highest.length) highest = folder
  }
  return highest
}

function commonFolder(folders: readonly string[]): string {
  const [first = origin, ...others] = folders
  let common = first
  // A folder that is named as a drive has none above it, as a URL.
  while (common !== origin && !others.every((each) => each.startsWith(common))) {
    const above = new URL('..', common).href
    common = above === common ? origin : above
  }
  return common
}

/** The folder below which all references of a contract lead. */
function folderOf({ source: { files } }: Contract): string {
  return commonFolder(
    [...files].flatMap(([url, { value }]) => [
      new URL('.', url).href,
      ...documentReferences(value).map(({ reference }) => folderReached(reference, url)),
    ]),
  )
}

/** The contracts with the files to store, by their paths below a folder: `contract/1/openapi.yaml`. */
export function storeContracts(contracts: readonly Contract[], folder: string) {
  const content = new Map<string, Uint8Array>()
  const stored = contracts.map((contract, index): StoredContract => {
    const { source, role } = contract
    const base = folderOf(contract)
    const pathOf = (url: string): string => `${folder}/${index + 1}/${url.slice(base.length)}`
    const files = [...source.files].map(([url, { name, bytes }]) => {
      const path = pathOf(url)
      content.set(path, bytes)
      return { path, name }
    })
    return { role, root: pathOf(source.root), files }
  })
  return { stored, content }
}

/** The contract of stored files; throws a `Problem` where they are none. */
export async function readStoredContract(
  { role, root, files }: StoredContract,
  content: ReadonlyMap<string, Uint8Array>,
): Promise<Contract> {
  const depth = root.split('/').slice(0, 2).join('/').length + 1
  const urlOf = (path: string): string => `${origin}${path.slice(depth)}`
  const byUrl = new Map(
    files.map(({ path, name }) => [
      urlOf(path),
      { name, bytes: content.get(path) ?? new Uint8Array() },
    ]),
  )
  return contractOf(await readContractSource(urlOf(root), storedContracts(byUrl)), role)
}

/** The files of a contract with the SHA-256 of their bytes, in hexadecimal; the document comes first. */
export const contractHashes = ({ source: { files } }: Contract) =>
  Array.from(files.values(), ({ name, bytes }) => ({
    name,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
