/** The tables of `sparring list`: a row for each member of a catalogue, with the protocol clauses that it cites. */
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseYamlText } from '../../../core/runtime/files/source-location.ts'
import { faultCatalogue } from '../../../core/faults/catalogue.ts'
import { defects, isDefectName } from '../../../demo/defects.ts'
import type { FaultDefinition } from '../../../core/faults/fault.ts'
import { faultProfiles } from '../../../core/faults/profiles.ts'
import { commonFaultOptions } from '../../../core/faults/spec.ts'
import { compact } from '../../../core/base/compact.ts'
import { sampleNamed, sampleNames } from '../../../core/partners/seed-data/samples.ts'
import { orderTypeNames } from '../../../terminal/cli/name-lists.ts'
import { faultText } from '../../../core/faults/spec-text.ts'
import { invariants } from '../../../core/rules/invariants/catalogue.ts'
import { operations } from '../../../core/protocol/catalogue.ts'
import { readTextFile } from '../../../core/runtime/files/text-file.ts'
import { packageFolder } from '../../../core/runtime/version.ts'
import { loadClauses } from '../../../core/protocol/clause.ts'
import { dialects } from '../../../core/protocol/dialects/catalogue.ts'
import type { Dialect } from '../../../core/protocol/dialects/dialect.ts'
import { dialectOfInput, isDialectFileName } from '../../../core/protocol/dialects/own-dialect.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { readConfigurationFile } from '../../../core/runtime/files/configuration-file.ts'
import { loadListFiles } from '../../../core/runtime/files/list-files.ts'
import { clauseBlock } from './clause-text.ts'
import { clauseUses, noUses } from './clause-uses.ts'
import { eventRows } from './event-rows.ts'
import { exposures } from '../../demo/exposures.ts'
import type { Column } from './table.ts'

export interface Listing<Row = unknown> {
  readonly rows: readonly Row[]
  /** The first has the name, by which rows are chosen. */
  readonly columns: readonly Column<Row>[]
  /** Rows that are too long for a table are printed as blocks of lines. */
  readonly block?: (row: Row, width: number) => readonly string[]
  /** A note on stderr below the table; not part of the JSON. */
  readonly note?: string
}

const listing = <Row>(listed: Listing<Row>): Listing => listed as Listing

const joined = (words: readonly string[]): string => words.join(', ')

/** These members of each row, in this order. */
const pick = <Row, Key extends keyof Row>(rows: readonly Row[], keys: readonly Key[]) =>
  rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>)

const operationKeys = [
  'id',
  'capability',
  'method',
  'path',
  'hosts',
  'callers',
  'success',
  'clauses',
] as const

function operationsListed(): Listing {
  return listing({
    rows: pick(operations, operationKeys),
    columns: [
      { title: 'OPERATION', cell: ({ id }) => id },
      { title: 'AT', cell: ({ hosts }) => joined(hosts) },
      { title: 'CALL', cell: ({ method, path }) => `${method} ${path}` },
      { title: 'CLAUSES', cell: ({ clauses }) => joined(clauses) },
    ],
  })
}

function eventsListed(): Listing {
  return listing({
    rows: eventRows(),
    columns: [
      { title: 'EVENT', cell: ({ type }) => type },
      { title: 'CAPABILITY', cell: ({ capability }) => capability },
      { title: 'SAYS', cell: ({ says }) => says },
      { title: 'CLAUSES', cell: ({ clauses }) => joined(clauses) },
    ],
  })
}

/** The description of each option by its name. */
const optionsOf = (
  shape: Readonly<Record<string, { readonly description?: string | undefined }>>,
) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, { description = '' }]) => [name, description]),
  )

const legalOf = ({ legal }: FaultDefinition): string =>
  typeof legal === 'boolean' ? (legal ? 'yes' : 'no') : 'by its options'

function faultsListed(): Listing {
  const rows = faultCatalogue.map((fault) => ({
    name: fault.name,
    code: fault.code,
    legal: legalOf(fault),
    summary: fault.summary,
    meets: fault.meets,
    options: optionsOf(fault.options.shape),
    every: optionsOf(commonFaultOptions()),
  }))
  return listing({
    rows,
    columns: [
      { title: 'FAULT', cell: ({ name }) => name },
      { title: 'CODE', cell: ({ code }) => code },
      { title: 'CONFORMANT', cell: ({ legal }) => legal },
      { title: 'OPTIONS', cell: ({ options }) => joined(Object.keys(options)) || '-' },
      { title: 'WHAT', cell: ({ summary }) => summary },
    ],
    note: `every fault takes: ${joined(Object.keys(commonFaultOptions()))} (--json says what each is for)`,
  })
}

function samplesListed(): Listing {
  const rows = sampleNames.map((name) => {
    const { summary, types = orderTypeNames, inV1, outside } = sampleNamed(name)
    return { name, summary, types, ...compact({ inV1, outside }) }
  })
  return listing({
    rows,
    columns: [
      { title: 'SAMPLE', cell: ({ name }) => name },
      { title: 'TYPES', cell: ({ types }) => (types.length === 3 ? 'any' : joined(types)) },
      { title: 'CONFORMANT', cell: ({ outside }) => (outside === undefined ? 'yes' : 'no') },
      { title: 'WHAT', cell: ({ summary }) => summary },
    ],
    note: 'for orders create --sample, sample: of an order in a scenario, and the fault odd-order (--json says what V1 cannot say, and why a row is not conformant)',
  })
}

function faultLine(spec: unknown): string {
  if (typeof spec === 'string') return spec
  const [entry] = Object.entries(
    spec as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  )
  return entry ? faultText(entry[0], entry[1]) : ''
}

function profilesListed(): Listing {
  const rows = Object.entries(faultProfiles).map(([name, profile]) => ({
    name,
    summary: profile.summary,
    faults: profile.faults.map(faultLine),
  }))
  return listing({
    rows,
    columns: [
      { title: 'PROFILE', cell: ({ name }) => name },
      { title: 'SITUATION', cell: ({ summary }) => summary },
      { title: 'FAULTS', cell: ({ faults: all }) => all.join(' ') },
    ],
  })
}

const invariantKeys = [
  'id',
  'name',
  'kind',
  'sentence',
  'remedy',
  'premise',
  'binds',
  'clauses',
] as const

/** The rules that watch a session, and the clauses that it judges one by one. */
async function sessionRules() {
  const { checks } = await import('../../../core/rules/checks/catalogue.ts')
  const { clauseRules } = await import('../../../core/rules/checks/clause-judge.ts')
  return [...invariants, ...clauseRules(checks)]
}

async function invariantsListed(): Promise<Listing> {
  return listing({
    rows: pick(await sessionRules(), invariantKeys),
    columns: [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'CLAUSES', cell: ({ clauses }) => joined(clauses) },
      { title: 'RULE', cell: ({ sentence }) => sentence },
    ],
  })
}

function defectsListed(): Listing {
  const rows = Object.keys(defects)
    .filter(isDefectName)
    .map((name) => {
      const { description, invariants: rules } = defects[name]
      return { name, description, rules, ...exposures[name] }
    })
  return listing({
    rows,
    columns: [
      { title: 'DEFECT', cell: ({ name }) => name },
      { title: 'FAILS', cell: ({ rules }) => joined(rules) },
      { title: 'SHOWN BY', cell: ({ faults = [] }) => faults.join(' ') || '-' },
      { title: 'WHAT THE SERVICE DOES', cell: ({ description }) => description },
    ],
  })
}

/** The dialect of a file, with the settings of the one that it extends. */
async function dialectInFile(file: string, cwd: string): Promise<readonly Dialect[]> {
  const { value } = await loadListFiles({ dialect: file }, cwd)
  const own = isUnknownRecord(value) ? dialectOfInput(value['dialect']) : undefined
  return own ? [own] : []
}

/** What a value holds, a line for each of its members, by its path. */
const memberLines = (value: unknown, path: string): readonly string[] =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, each]) => memberLines(each, `${path}.${name}`))
    : [`  ${path.slice(1)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]

/** All that a dialect says, for a terminal. */
const dialectBlock = ({ name, summary, ...rest }: Dialect): readonly string[] => [
  `${name}: ${summary}`,
  ...memberLines(rest, ''),
]

/** Those that ship, and that of the configuration in `cwd` where it is in a file; or the one of a file. */
async function dialectsListed(cwd: string, wanted?: string): Promise<Listing> {
  if (wanted !== undefined && isDialectFileName(wanted))
    return listing({
      rows: await dialectInFile(wanted, cwd),
      columns: [{ title: 'DIALECT', cell: () => wanted }],
      block: dialectBlock,
    })
  const configured = dialectOfInput((await readConfigurationFile(cwd))?.value.dialect)
  const own = configured && !dialects.some((each) => each === configured) ? [configured] : []
  const rows: readonly Dialect[] = [...own, ...dialects]
  return listing({
    rows,
    ...(rows.some((each) => each.name === wanted) ? { block: dialectBlock } : {}),
    columns: [
      { title: 'DIALECT', cell: ({ name }) => name },
      { title: 'WHAT', cell: ({ summary }) => summary },
    ],
    note: 'for --dialect and `dialect:` in the configuration, as is a file with one of your own; its name, or --json, says what each sets, what partners do in more than one form, and what it does not reproduce',
  })
}

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

const stringsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

interface ScenarioRow {
  readonly file: string
  readonly name: string
  readonly about: string
  readonly clauses: readonly string[]
}

async function scenariosIn(folder: string): Promise<readonly ScenarioRow[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => /\.ya?ml$/.test(name)).toSorted()
  return Promise.all(
    files.map(async (name) => {
      const file = join(folder, name)
      const { value } = parseYamlText(await readTextFile(file, file))
      const fields = typeof value === 'object' && value !== null ? { ...value } : {}
      const { name: title, about, clauses } = fields as Readonly<Record<string, unknown>>
      return {
        file,
        name: stringOrEmpty(title),
        about: stringOrEmpty(about),
        clauses: stringsIn(clauses),
      }
    }),
  )
}

/** The scenarios of the folder `scenarios` in `cwd`; where it has none, those that ship with the product. */
async function scenarioRows(cwd: string): Promise<readonly ScenarioRow[]> {
  const here = await scenariosIn(resolve(cwd, 'scenarios'))
  if (here.length > 0) return here
  return scenariosIn(resolve(packageFolder, 'scenarios'))
}

async function scenariosListed(cwd: string): Promise<Listing> {
  return listing({
    rows: await scenarioRows(cwd),
    columns: [
      { title: 'FILE', cell: ({ file }) => file.split('/').at(-1) },
      { title: 'NAME', cell: ({ name }) => name },
      { title: 'CLAUSES', cell: ({ clauses }) => joined(clauses) },
    ],
  })
}

async function clausesListed(cwd: string): Promise<Listing> {
  const scenarios = (await scenarioRows(cwd)).map(({ name, clauses }) => ({ name, clauses }))
  const uses = clauseUses(scenarios)
  const rows = [...(await loadClauses()).values()]
    .map((clause) => ({ ...clause, namedBy: uses.get(clause.id) ?? noUses() }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return listing({ rows, columns: [{ title: 'CLAUSE', cell: ({ id }) => id }], block: clauseBlock })
}

/** The clauses that bind a service and that traffic can show, each with the rules by which a session judges it. */
async function judgedClausesListed(): Promise<Listing> {
  const binding = [...(await loadClauses()).values()].filter(
    ({ isCheckable, binds }) => isCheckable !== false && binds.length > 0,
  )
  const all = await sessionRules()
  const rows = binding
    .map(({ id, says }) => {
      const naming = all.filter(({ clauses }) => clauses.includes(id))
      return {
        id,
        rules: [...new Set(naming.map((rule) => rule.id))],
        binds: [...new Set(naming.flatMap(({ binds }) => binds))],
        says,
      }
    })
    .filter(({ rules: naming }) => naming.length > 0)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return listing({
    rows,
    columns: [
      { title: 'CLAUSE', cell: ({ id }) => id },
      { title: 'RULES', cell: ({ rules: naming }) => joined(naming) },
      { title: 'JUDGED OF', cell: ({ binds }) => joined(binds) },
    ],
    note: `a session judges ${rows.length} of ${binding.length} clauses that bind a service and that traffic can show`,
  })
}

/** The listings by the argument of `sparring list`. */
export const listings = {
  operations: operationsListed,
  events: eventsListed,
  faults: faultsListed,
  samples: samplesListed,
  profiles: profilesListed,
  invariants: invariantsListed,
  scenarios: scenariosListed,
  clauses: clausesListed,
  'judged clauses': judgedClausesListed,
  dialects: dialectsListed,
  defects: defectsListed,
} as const satisfies Record<string, (cwd: string, name?: string) => Listing | Promise<Listing>>
