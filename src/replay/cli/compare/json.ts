/**
 * JSON Lines reporter: a line per exchange, then a summary. `version` is the schema version of the lines; only
 * incompatible changes raise it.
 */
import { appliedEditText } from '../../../core/traffic/recording/exchange-edit.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { ComparedExchange, CompareReporter } from './comparison-report.ts'
import { replayAccuracy } from '../../../core/traffic/recording/replay-report.ts'

const comparisonLinesVersion = 1

const sideOf = (exchange: Exchange | RecordedExchange | undefined) =>
  exchange && {
    ...('recordId' in exchange
      ? { id: exchange.recordId, edits: exchange.edits?.map(appliedEditText) }
      : {}),
    seq: exchange.seq,
    from: exchange.from.role,
    to: exchange.to.role,
    operation: exchange.operation,
    orderId: exchange.orderId,
    eventIds: exchange.eventIds,
    method: exchange.request.method,
    url: exchange.request.url,
    status: exchange.reply?.status ?? 0,
    failure: exchange.failure?.code,
  }

function lineOf({ index, replayed, isFirst }: ComparedExchange): object {
  const { standing, recorded, live, differences, because, strategy, intendedAt, sentAt } = replayed
  return {
    type: 'exchange',
    version: comparisonLinesVersion,
    index,
    standing,
    ...(isFirst ? { first: true } : {}),
    recorded: sideOf(recorded),
    live: sideOf(live),
    because,
    strategy,
    intendedAt,
    sentAt,
    differences: differences.map(({ rule, ...difference }) => ({
      ...difference,
      rule: { at: rule.at, compare: rule.compare, from: rule.from, reason: rule.reason },
    })),
  }
}

export const comparisonJson: CompareReporter = {
  name: 'json',
  summary: 'for programs: a line of JSON for each exchange, then a summary',
  form: 'document',
  ended: (exchange) => `${JSON.stringify(lineOf(exchange))}\n`,
  finish({
    left,
    right,
    exchanges,
    counts,
    first,
    exit,
    signature,
    leftOut,
    map,
    replay,
    version,
  }) {
    const summary = {
      type: 'summary',
      version: comparisonLinesVersion,
      sparring: version,
      ok: exit === 0,
      exit,
      recorded: left,
      live: right,
      exchanges: exchanges.length,
      counts,
      first,
      signature,
      leftOut,
      ...(replay ? { ...replay, accuracy: replayAccuracy(replay) } : {}),
      names: map,
    }
    return `${JSON.stringify(summary)}\n`
  },
}
