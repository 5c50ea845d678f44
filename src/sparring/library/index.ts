/**
 * The public library API: a session without a screen; the import path `sparring`.
 */
export { openSession } from '../../core/session/open-session.ts'
export type { SessionOptions } from '../../core/session/options.ts'
export {
  playScenario,
  type PlayOptions,
  type ScenarioInput,
  scenarioOptions,
  type ScenarioOutcome,
} from '../../core/session/run-scenario.ts'
export { certify } from '../../certify/session/certify.ts'
export type { CertifyOptions, CertifyRequest } from '../../certify/session/certify-options.ts'
export type { CertificationReport } from '../../certify/report/report.ts'
export { explore } from '../../explore/session/explore.ts'
export type { ExploreOptions, ExploreResult } from '../../explore/session/explore-options.ts'
export {
  type ClientReplay,
  type DecisionsReplay,
  replayRecording,
  type ReplayOptions,
} from '../../replay/playback/replay/library.ts'
export type {
  FaultApi,
  FaultSpec,
  FetchHandler,
  Session,
  SubjectClock,
} from '../../core/session-api/session.ts'
export type { ReplayReport, ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
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
} from '../../core/session-api/session-api.ts'
export type {
  Evidence,
  Finding,
  InvariantKind,
  VerdictOutcome,
  Verdict,
} from '../../core/rules/invariants/verdict.ts'
export type {
  Configuration,
  ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'
export type { Command } from '../../core/engine/command.ts'
export type { Fact } from '../../core/engine/fact.ts'
export type { Refusal } from '../../core/engine/refusal.ts'
export type { JournalEntry } from '../../core/engine/journal.ts'
export type { Exchange } from '../../core/traffic/exchange.ts'
export type { Role } from '../../core/protocol/role.ts'
export { Problem } from '../../core/base/problem.ts'
