/** Compares what a recording proxy sees with contracts, and prints the verdict at the end. */
import { ContractJudge } from '../../../core/rules/contract/contract-judge.ts'
import { loadContracts } from '../../../core/session/contracts.ts'
import type { Configuration } from '../../../core/session-api/configuration/schema.ts'
import { onlyOfItsParties, type TrafficLog } from '../../../core/traffic/log.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import { verdictSummaryLines } from '../../../core/views/verdict-text.ts'

export interface ContractSummary {
  readonly print: (options: { readonly json?: true }, io: Io) => Promise<void>
}

export async function startContractSummary(
  configuration: Configuration,
  log: TrafficLog,
  onBug: (error: unknown) => void,
): Promise<ContractSummary> {
  const contracts = await loadContracts(configuration)
  const judge = new ContractJudge({ contracts, onBug })
  log.onExchange(
    // The proxy has no session clock.
    onlyOfItsParties((exchange) => judge.exchange(exchange, { began: exchange.startedAt })),
  )
  return {
    async print({ json }, io) {
      const verdicts = [judge.verdict()]
      if (json) await printLine(io.stdout, JSON.stringify({ verdicts }))
      else await printLine(io.stderr, verdictSummaryLines(verdicts).join('\n'))
    },
  }
}
