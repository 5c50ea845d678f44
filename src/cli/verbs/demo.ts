/** `sparring demo`: a partner and a small service side by side; with `--defect` the service makes a mistake. */
import { demoFlags } from '../demo/demo-flags.ts'
import { defineVerb } from '../verb.ts'

export const demoVerb = defineVerb({
  name: 'demo',
  summary: 'a partner and a small service side by side; --defect makes it fail',
  flags: demoFlags,
  details: `
Examples:
  sparring demo                                          look at a service that makes no mistake
  sparring demo --defect forgets-event-ids --orders 2 --record bug.rec.ndjson
  sparring minimise bug.rec.ndjson --start 'sparring demo --service --defect forgets-event-ids'

A defect brings the fault that shows it, unless --fault names another. The service is a reference implementation
of the protocol; it shares no code with Sparring.

Ends with 0; with --orders, 1 when a rule has failed.`,
  async run(options, io) {
    if (options.service) {
      const { runDemoService } = await import('../demo/run-demo-service.ts')
      return runDemoService(options, io)
    }
    const { runDemo } = await import('../demo/run-demo.ts')
    return runDemo(options, io)
  },
})
