/** Command line options: sizes of the measurements and the rows to measure. */
import { parseArgs } from 'node:util'

/** The amount of work of each row: more is slower and less noisy. */
export interface BenchSizes {
  readonly rounds: number
  /** Requests of each kind before the measurement and during it. */
  readonly warmUp: number
  readonly measured: number
  /** Orders that live their whole life to warm up, and measured ones, for each generation of servers. */
  readonly warmUpLives: number
  readonly measuredLives: number
  /** Rounds of the slow rows, such as order lives and many open orders. */
  readonly slowRounds: number
  readonly webhooks: number
  readonly exchanges: number
  readonly openOrders: readonly [few: number, many: number]
  /** Measured batches of the row open-orders; each confirms the lower number of open orders. */
  readonly batches: number
  readonly starts: number
  /** Items on the agenda, and edits of them. */
  readonly pending: number
  readonly edits: number
}

export const quickSizes: BenchSizes = {
  rounds: 2,
  warmUp: 2000,
  measured: 2000,
  warmUpLives: 200,
  measuredLives: 200,
  slowRounds: 2,
  webhooks: 1500,
  exchanges: 16_000,
  openOrders: [1000, 10_000],
  batches: 2,
  starts: 3,
  pending: 100_000,
  edits: 50_000,
}

export const fullSizes: BenchSizes = {
  rounds: 4,
  warmUp: 5000,
  measured: 6000,
  // The cost of an order life falls until about ten thousand have been run: so many would take an hour.
  warmUpLives: 3000,
  measuredLives: 3000,
  slowRounds: 2,
  webhooks: 5000,
  exchanges: 60_000,
  openOrders: [1000, 10_000],
  batches: 4,
  starts: 9,
  pending: 100_000,
  edits: 100_000,
}

export interface BenchOptions {
  readonly sizes: BenchSizes
  readonly json: boolean
  readonly peers: boolean
  /** Install the other mock servers first. */
  readonly install: boolean
  /** Write the rows as a page in Markdown to this file. */
  readonly page?: string | undefined
  /** Without rows only the quick ones. */
  readonly quick: boolean
  /** The rows to measure; all when empty. */
  readonly rows: readonly string[]
  /** The folder that holds `dist` and `bin`. */
  readonly root: string
}

export const usageText = `npm run bench -- [--quick] [--json] [--page FILE] [--peers] [--install] [row...]
       npm run bench -- explore [--help]   how soon exploration finds the defects of the reference service
       npm run bench -- certify [--help]   how long certifications take in real time

  --quick   less of everything and nothing twice, so noisier; without names of rows about a minute: the ten rows that matter
  --json    one JSON object per row
  --page    write the rows to this file, as a page in Markdown with machine and versions
  --peers   other mock servers too, where they are installed; peers as the name of a row measures them alone
  --install install them first, by npm, into bench/peers/installed
  --root    measure the build in another folder; rows that bundle a part do so from this one
`

export function readBenchOptions(argv: readonly string[], root: string): BenchOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
      page: { type: 'string' },
      root: { type: 'string', default: root },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  return {
    sizes: values.quick ? quickSizes : fullSizes,
    quick: values.quick,
    json: values.json,
    peers: values.peers,
    install: values.install,
    page: values.page,
    rows: positionals,
    root: values.root,
  }
}
