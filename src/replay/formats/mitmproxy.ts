/** Imports dumps of mitmproxy and mitmdump (`-w`): a sequence of flows as tagged netstrings. */
import { createByteQueue } from './byte-queue.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { importFlow } from './mitmproxy-flow.ts'
import { createProblemList } from './problem-list.ts'
import { takeTaggedValue } from './tnetstring.ts'

const maxFlowBytes = 256 * 1024 * 1024

function createImporter(options: ImporterOptions): Importer {
  const queue = createByteQueue()
  const problems = createProblemList()
  let count = 0
  let broken = false

  function takeFlows(): readonly ImportedExchange[] {
    const flows: ImportedExchange[] = []
    while (!broken) {
      const at = queue.position()
      const value = takeTaggedValue(queue, maxFlowBytes)
      if (!value) break
      count++
      const flow = value.ok ? importFlow(value.value, options) : value
      if (flow.ok) flows.push(flow.value)
      else problems.add(`byte ${at}, flow ${count}`, flow.error, !value.ok)
      broken = !value.ok
    }
    return flows
  }

  return {
    feed(bytes) {
      if (broken) return []
      queue.push(bytes)
      return takeFlows()
    },
    finish() {
      if (!broken && queue.size() > 0)
        problems.add(
          `byte ${queue.position()}, flow ${count + 1}`,
          `the file breaks off in the middle of it: ${queue.size()} bytes are there`,
          true,
        )
      return { remaining: [], problems: problems.all(), creator: { name: 'mitmproxy' } }
    },
  }
}

const opening = /^\d{1,10}:\d{1,10}:[a-z_]+[;,]/

export const mitmproxyFormat = defineFormat({
  name: 'mitmproxy',
  summary: 'flows saved by mitmproxy or mitmdump',
  fileExtensions: ['.mitm', '.flow', '.flows', '.mitmproxy'],
  recognises: (beginning) => {
    const text = new TextDecoder('latin1').decode(beginning.subarray(0, 100))
    return opening.test(text) ? 0.95 : 0
  },
  importer: createImporter,
})
