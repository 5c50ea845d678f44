/**
 * Type of a partner requirement: what every partner asks of one field of a request that the documents leave open, as a row
 * of data. `conduct.bodies` decides what a request that does not meet it gets: advice in the log (`lenient`), or a refusal
 * (`strict`).
 */
import type { OperationId } from '../catalogue.ts'
import type { Conduct } from '../conduct.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import type { Expectation } from './expectation.ts'

/** A value with its path in the body. */
export interface LocatedValue {
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

/** The objects of a body to which requirements apply. */
export interface RequiredPart {
  readonly of: (body: unknown) => readonly LocatedValue[]
  /**
   * The members of the body that may hold them, or lists of them; an empty name for the body itself, if it has none of
   * these.
   */
  readonly members: readonly string[]
}

export interface RequirementCondition {
  /** The condition as a heading of it: `without problemCode`. */
  readonly says: string
  /** It is the same for all requests. */
  readonly isOfConduct?: true
  readonly holds: (holder: UnknownRecord, conduct: Conduct) => boolean
}

export interface PartnerRequirement {
  readonly operations: readonly OperationId[]
  /** What has the field: the body when absent, the query, or the document of the order that the path names. */
  readonly of?: 'query' | 'order'
  /** What `at` applies to, such as the records of the body; the whole body when absent. */
  readonly within?: RequiredPart
  /**
   * Names joined by dots, `*` for each entry of a list; empty for the whole. What is in an absent object is not
   * required.
   */
  readonly at: string
  readonly expects: Expectation
  /** The field may be left out. */
  readonly optional?: true
  /** Applies only if this holds for the object that has the field. */
  readonly when?: RequirementCondition
  readonly clauses: readonly string[]
  /** The row of the field reference that it comes from. */
  readonly source: string
}

/** A row: what several share may stand beside them. */
type RequirementRow = Omit<PartnerRequirement, 'operations' | 'clauses' | 'source'> &
  Partial<PartnerRequirement>

/** A field that is there, and has this value. */
export const mustHave = (
  at: string,
  expects: Expectation,
  more: Partial<PartnerRequirement> = {},
): RequirementRow => ({ at, expects, ...more })

/** A field that may be left out. */
export const mayHave = (
  at: string,
  expects: Expectation,
  more: Partial<PartnerRequirement> = {},
): RequirementRow => ({ at, expects, optional: true, ...more })

/** Rows that share the row of the field reference, clauses and operations. */
export const requirementsOf =
  (
    source: string,
    clauses: readonly string[],
    operations: readonly OperationId[],
    shared: Pick<PartnerRequirement, 'within' | 'when'> = {},
  ) =>
  (...rows: readonly RequirementRow[]): readonly PartnerRequirement[] =>
    rows.map((row) => ({ source, clauses, operations, ...shared, ...row }))
