/**
 * The public library API: a session without a screen. With `sparring/msw` the only stable import path.
 */
export { openSession } from './session/open-session.ts'
export type { SessionOptions } from './session/options.ts'
export {
  playScenario,
  type PlayOptions,
  type ScenarioInput,
  scenarioOptions,
  type ScenarioOutcome,
} from './session/run-scenario.ts'
export { certify } from './session/certify.ts'
export type { CertifyOptions, CertifyRequest } from './session/certify-options.ts'
export type { CertificationReport } from './certification/report/report.ts'
export { explore } from './session/explore.ts'
export type { ExploreOptions, ExploreResult } from './session/explore-options.ts'
export {
  type ClientReplay,
  type DecisionsReplay,
  replayRecording,
  type ReplayOptions,
} from './session/replay/library.ts'
export type {
  FaultApi,
  FaultSpec,
  FetchHandler,
  Session,
  SubjectClock,
} from './session-api/session.ts'
export type { ReplayReport, ReplayedExchange } from './traffic/replay/replay-report.ts'
export type {
  AgendaRow,
  ClockMode,
  OperatorAction,
  Explanation,
  FaultRow,
  JournalRow,
  CreatedOrder,
  NewOrder,
  OrderDetail,
  OrderRow,
  SessionApi,
  SessionInfo,
  Snapshot,
  Split,
  StoryLine,
  TrafficRow,
  View,
} from './session-api/session-api.ts'
export type {
  Evidence,
  Finding,
  InvariantKind,
  VerdictOutcome,
  Verdict,
} from './invariants/verdict.ts'
export type { Configuration, ConfigurationInput } from './configuration/schema.ts'
export type { Command } from './engine/command.ts'
export type { Fact } from './engine/fact.ts'
export type { Refusal } from './engine/refusal.ts'
export type { JournalEntry } from './engine/journal.ts'
export type { Exchange } from './traffic/exchange.ts'
export type { Role } from './protocol/role.ts'
export { Problem } from './problem.ts'
