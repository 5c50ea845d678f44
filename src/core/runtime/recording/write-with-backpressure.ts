/** Writes to a stream with backpressure: waits while the reader cannot keep up, so output is not buffered in memory. */
export async function writeWithBackpressure(
  stream: NodeJS.WritableStream,
  text: string,
): Promise<void> {
  if (isGone(stream) || stream.write(text)) return
  await new Promise<void>((resolve) => {
    const settled = () => {
      for (const name of endings) stream.off(name, settled)
      resolve()
    }
    for (const name of endings) stream.on(name, settled)
    // A write to a disconnected reader may have closed the stream before the listeners were added.
    if (isGone(stream)) settled()
  })
}

const endings = ['drain', 'close', 'error'] as const

const isGone = (stream: NodeJS.WritableStream): boolean =>
  !stream.writable || ('destroyed' in stream && stream.destroyed === true)
