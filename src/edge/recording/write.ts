/** Writes, and waits while the reader at the other end cannot keep up: output is never piled up in memory. */
export async function writeAll(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (isGone(stream) || stream.write(text)) return
  await new Promise<void>((resolve) => {
    const settled = () => {
      for (const name of endings) stream.off(name, settled)
      resolve()
    }
    for (const name of endings) stream.on(name, settled)
    // A write to a reader that has just left closes the stream before anybody listens.
    if (isGone(stream)) settled()
  })
}

const endings = ['drain', 'close', 'error'] as const

const isGone = (stream: NodeJS.WritableStream): boolean =>
  !stream.writable || ('destroyed' in stream && stream.destroyed === true)
