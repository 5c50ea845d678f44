/**
 * The model of a certification's screen: the procedures and how far they are, what a person is asked for, and the
 * report.
 */
import type { CheckOutcome } from '../judge/judge-checks.ts'
import {
  type CertificationReport,
  countOutcomes,
  resultsByArea,
  type ReportedResult,
} from '../report/report.ts'
import type { ProcedureProgress } from '../judge/run-procedures.ts'
import type { Role } from '../../core/protocol/role.ts'
import { initialList, type ListModel } from '../../terminal/dashboard/list-screen/list-screen.ts'

/** What is certified; it does not change. */
export interface CertificationHeading {
  readonly role: Role
  /** URL of the service. */
  readonly service: string
  /** The procedures that are carried out, in their order. */
  readonly procedures: readonly { readonly name: string; readonly about: string }[]
}

/** How a certification ended. */
export interface EndedCertification {
  readonly report: CertificationReport
  /** A result as lines: what the clause says, its problems with their exchanges, the remedy. */
  readonly linesOf: (result: ReportedResult) => readonly string[]
}

/** What a person is asked to do at the service. */
export interface PersonRequest {
  readonly text: string
  /** Time since the beginning, in ms, at which it is skipped. */
  readonly untilMs: number
}

export interface CertificationModel extends ListModel {
  readonly heading: CertificationHeading
  /** By name; those that have not begun are absent. */
  readonly progress: ReadonlyMap<string, ProcedureProgress>
  /** With the service so far. */
  readonly exchanges: number
  readonly request?: PersonRequest
  readonly ended?: EndedCertification
  /** Row of the list with the cursor; it follows the procedure under way when absent. */
  readonly chosen?: number
  /** It is to stop after the procedure under way. */
  readonly isStopping: boolean
}

export const initialCertification = (
  heading: CertificationHeading,
  columns: number,
  rows: number,
): CertificationModel => ({
  ...initialList(columns, rows),
  heading,
  progress: new Map(),
  exchanges: 0,
  isStopping: false,
})

/** What is to be looked at comes first. */
const order: readonly CheckOutcome[] = ['failed', 'warning', 'attestation', 'skipped', 'passed']

/** The results in the order of the list. */
export const listedResults = ({ ended }: CertificationModel): readonly ReportedResult[] =>
  order.flatMap((outcome) => ended?.report.results.filter((each) => each.outcome === outcome) ?? [])

export const listLength = (model: CertificationModel): number =>
  model.ended ? model.ended.report.results.length : model.heading.procedures.length

/** The row with the cursor. */
export function chosenRow({ chosen, ended, heading, progress }: CertificationModel): number {
  if (chosen !== undefined) return chosen
  if (ended) return 0
  const running = heading.procedures.findLastIndex(({ name }) => progress.has(name))
  return Math.max(0, running)
}

export const chosenResult = (model: CertificationModel): ReportedResult | undefined =>
  listedResults(model)[chosenRow(model)]

/** The results of each area, counted: the rows of the matrix. */
export function areaCountsOf({ results }: CertificationReport) {
  return Array.from(resultsByArea(results), ([area, ofArea]) => ({
    area,
    counts: countOutcomes(ofArea),
  }))
}

/** Whole seconds that are left for a request. */
export const secondsLeft = ({ untilMs }: PersonRequest, tookMs: number): number =>
  Math.max(0, Math.ceil((untilMs - tookMs) / 1000))
