/** Where the time of rows goes whose targets are not met, as CPU profiles show it. */
import { type BenchRow, meetsTarget } from './row.ts'

const ofCalls =
  'a call that changes something is a command, its facts in the journal, items of the agenda, and a reply that is kept for its repetition; the server by hand sets a field. In a profile the engine has 23 %, sockets a third, garbage 10 to 16 %, and no function of ours above 3 %'
const ofCapabilities =
  'routing, token, limits, faults, traffic log and journal are the same for every operation; in a profile the write to the socket has 18 to 48 %, the text of the reply 8 to 18 %, the schema of a request 7 %, and counting the characters of what is kept (so that memory is bounded) 8 %'
const ofPeers =
  '34 µs of a GET are node:http alone, and most of the others the token, limits, faults and the log of traffic, none of which the peer has'

const reasons: Readonly<Record<string, string>> = {
  'get-order':
    'of 74 µs 34 are node:http that does nothing; the other 40 are in some 120 functions, none above 6 %. A recorder adds 80 µs of classifying, escaping and encoding a body of 3 kB that it has never met, since no body is exempt from redaction',
  'confirm-order': ofCalls,
  'order-life': ofCalls,
  'watched-life':
    'the rules have 11 %, the clauses 9 %, faults 3 %, garbage 16 %, and no function of ours more than 2.3 %',
  'contract-life': 'one schema for each message; the row is at its target in most runs',
  'indoor-payment': ofCapabilities,
  'logistics-delivery': ofCapabilities,
  'customer-ingest': ofCapabilities,
  'loyalty-redeem': ofCapabilities,
  'webhook-out':
    'a webhook is an item of the agenda, two commands, a signature and a line of the traffic log: 1,086 calls in 426 functions',
  'cold-start':
    'of 80 ms above a node:http hello 45 are the evaluation of one file (schemas, tables, patterns: no line above 1 ms), 14 the command line, 11 the compile cache',
  memory:
    'most of it is room that V8 keeps: of 542 MB with 20,000 open orders 210 were alive after a collection, in some thirty places',
  'peer-json-server': ofPeers,
  'peer-prism': ofPeers,
}

/** A list in Markdown of the rows that miss a target, with their reasons; empty where none does. */
export function unmetTargets(rows: readonly BenchRow[]): string {
  const missed = rows.filter(
    (row) => row.kind === 'measured' && row.lines.some((line) => meetsTarget(line) === false),
  )
  return [...Map.groupBy(missed, ({ name }) => reasons[name] ?? 'not profiled yet')]
    .map(([reason, of]) => `- ${of.map(({ name }) => `**${name}**`).join(', ')}: ${reason}.`)
    .join('\n')
}
