/** Resources for agents: the pages of docs/, the clauses of the protocol, the scenarios and schemas of the product. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../../core/runtime/version.ts'
import { problem } from '../../core/base/problem.ts'
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { loadClauses } from '../../core/protocol/clause.ts'
import { packedNames } from '../verbs/support/doc-pages.ts'

export interface ResourceRow {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  readonly read: () => Promise<string>
}

/** Resources of one kind, each by a name: `sparring://clauses/ORD-TRA-02`. */
export interface ResourceFamily {
  readonly name: string
  /** With the variable `{name}`. */
  readonly template: string
  readonly description: string
  readonly mimeType: string
  readonly names: () => Promise<readonly string[]>
  readonly read: (name: string) => Promise<string>
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

/** Refuses a name that is none of them: it never becomes part of a path. */
function checkName(what: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return
  const near = findClosestName(name, names)
  throw problem(
    `reading ${what} "${name}"`,
    'there is none of that name',
    near === undefined ? `There are ${names.slice(0, 30).join(', ')}.` : `Did you mean ${near}?`,
  )
}

function filesOf(
  name: string,
  {
    folder,
    ending,
    ...described
  }: Pick<ResourceFamily, 'description' | 'mimeType'> & {
    readonly folder: string
    readonly ending: string
  },
): ResourceFamily {
  const names = () => packedNames(folder, ending)
  return {
    name,
    template: `sparring://${folder}/{+name}`,
    ...described,
    names,
    async read(file) {
      checkName(name, file, await names())
      return readFile(join(packageFolder, folder, `${file}${ending}`), 'utf8')
    },
  }
}

const clauseFamily: ResourceFamily = {
  name: 'clause',
  template: 'sparring://clauses/{name}',
  description:
    'a clause of the protocol by its id, or all whose id begins so: text, source, whom it binds, which rules and operations name it',
  mimeType: 'application/json',
  names: async () => [...(await loadClauses()).keys()],
  async read(name) {
    const { listings } = await import('../verbs/support/listing.ts')
    const { rows } = await listings.clauses(packageFolder)
    const idOf = (row: unknown): string =>
      typeof row === 'object' && row !== null && 'id' in row ? String(row.id) : ''
    const wanted = name.toUpperCase()
    const exact = rows.filter((row) => idOf(row) === wanted)
    const found = exact.length > 0 ? exact : rows.filter((row) => idOf(row).startsWith(wanted))
    if (found.length === 0) checkName('clause', wanted, rows.map(idOf))
    return pretty(found.length === 1 ? found[0] : found)
  },
}

const schemaNames = ['config', 'scenario', 'recording'] as const

const schemaFamily: ResourceFamily = {
  name: 'schema',
  template: 'sparring://schemas/{name}',
  description: 'JSON Schema of the configuration file, a scenario file, or a line of a recording',
  mimeType: 'application/schema+json',
  names: () => Promise.resolve(schemaNames),
  async read(name) {
    checkName('schema', name, schemaNames)
    if (name === 'config')
      return pretty(
        (await import('../verbs/support/configuration-schema.ts')).configurationSchema(),
      )
    if (name === 'scenario')
      return pretty((await import('../verbs/support/editor-schemas.ts')).scenarioSchema())
    return pretty((await import('../verbs/support/editor-schemas.ts')).recordingSchema())
  },
}

const docsFamily = filesOf('page', {
  folder: 'docs',
  ending: '.md',
  description: 'a page of the documentation',
  mimeType: 'text/markdown',
})

export const resourceFamilies: readonly ResourceFamily[] = [
  docsFamily,
  clauseFamily,
  filesOf('scenario', {
    folder: 'scenarios',
    ending: '.yaml',
    description: 'a scenario that ships with Sparring, as an example',
    mimeType: 'application/yaml',
  }),
  schemaFamily,
]

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ''

/** What a list of resources shows: the pages, the schemas, and the index of the clauses. */
export async function listedResources(): Promise<readonly ResourceRow[]> {
  const pages = await docsFamily.names()
  const rows = pages.map(async (name): Promise<ResourceRow> => ({
    uri: `sparring://docs/${name}`,
    name: `docs/${name}`,
    description: titleOf(await docsFamily.read(name)),
    mimeType: docsFamily.mimeType,
    read: () => docsFamily.read(name),
  }))
  const schemas = schemaNames.map((name): ResourceRow => ({
    uri: `sparring://schemas/${name}`,
    name: `schemas/${name}`,
    description: `JSON Schema: ${name}`,
    mimeType: schemaFamily.mimeType,
    read: () => schemaFamily.read(name),
  }))
  const clauses: ResourceRow = {
    uri: 'sparring://clauses',
    name: 'clauses',
    description: 'every clause of the protocol: its id and its first words',
    mimeType: 'text/plain',
    async read() {
      const all = [...(await loadClauses()).values()]
      return all
        .map(({ id, says }) => `${id}  ${says.length > 80 ? `${says.slice(0, 80)}…` : says}`)
        .join('\n')
    },
  }
  return [...(await Promise.all(rows)), ...schemas, clauses]
}
