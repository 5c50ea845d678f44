/**
 * The clauses of the protocol as text: what each says, where it stands and whom it binds. The 539 sentences are loaded
 * when one is read, never at a start; `clauses.ts` has the ids alone.
 */
import { fullRoleName, type Role } from './role.ts'

/** The documents of the protocol, by their numbers. */
const documents = {
  1: { title: 'Customer Capability', short: 'Customer' },
  2: { title: 'Orders Capability and Indoor Extension', short: 'Orders and Indoor' },
  3: {
    title: 'Logistics, Discovery, Transport Conventions, Authentication and Migration',
    short: 'Logistics, Discovery, Transport, Authentication',
  },
} as const

type DocumentNumber = keyof typeof documents

interface ClauseSource {
  readonly document: DocumentNumber
  readonly title: string
  /** The heading; a heading and its sub-heading are separated by ` > `. */
  readonly chapter: string
}

/** Whom a clause binds: a role, or every role that serves or calls operations. */
type BoundParty = Role | 'any-host' | 'any-client'

/** `undefined`: the documents leave it open, and the protocol options have a default for it. */
type ClauseKind =
  | 'schema'
  | 'operation'
  | 'transition'
  | 'event'
  | 'error'
  | 'auth'
  | 'discovery'
  | 'header'
  | 'limit'
  | 'rule'
  | 'out-of-scope'
  | 'undefined'

/** One numbered statement of the protocol. */
export interface Clause {
  readonly id: string
  /** The statement as a sentence. */
  readonly says: string
  /** Where it stands; a statement may be made in several places. */
  readonly sources: readonly ClauseSource[]
  readonly binds: readonly BoundParty[]
  readonly kind: ClauseKind
  /** False where no traffic can show whether a service keeps to it; absent for all others. */
  readonly isCheckable?: false
}

export type Clauses = ReadonlyMap<string, Clause>

/** As stored: the documents by their number alone. */
type StoredClause = Omit<Clause, 'sources'> & {
  readonly sources: readonly Omit<ClauseSource, 'title'>[]
}

const withTitles = ({ sources, ...clause }: StoredClause): Clause => ({
  ...clause,
  sources: sources.map(({ document, chapter }) => ({
    document,
    title: documents[document].title,
    chapter,
  })),
})

let loaded: Promise<Clauses> | undefined

/** All clauses by id. */
export const loadClauses = (): Promise<Clauses> =>
  (loaded ??= import('./clauses.json', { with: { type: 'json' } }).then(
    ({ default: rows }) =>
      new Map((rows as readonly StoredClause[]).map((each) => [each.id, withTitles(each)])),
  ))

/** Document and chapter: `document 2, Orders Capability and Indoor Extension: Events > Orders events`. */
export const clausePlaces = ({ sources }: Clause): readonly string[] =>
  sources.map(({ document, title, chapter }) => `document ${document}, ${title}: ${chapter}`)

/** What a heading says beside its name, too long for a citation: `Indoor events (webhook only, no polling)`. */
const headingNote = / \([^()]*\)$/

/** `Events are deduplicated by eventId. (2 Orders and Indoor: Events > Orders events)`. */
export const clauseWithPlace = ({ says, sources }: Clause): string => {
  const places = sources.map(
    ({ document, chapter }) =>
      `${document} ${documents[document].short}: ${chapter.replace(headingNote, '')}`,
  )
  return `${says} (${places.join('; ')})`
}

/** The clauses with these ids, in their order. */
export const clausesOf = (ids: readonly string[], clauses: Clauses): readonly Clause[] =>
  ids.flatMap((id) => clauses.get(id) ?? [])

export const boundPartyName = (party: BoundParty): string =>
  party === 'any-host'
    ? 'every role that serves operations'
    : party === 'any-client'
      ? 'every role that calls operations'
      : fullRoleName[party]
