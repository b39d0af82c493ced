/**
 * The generated database client needs neither the generator nor the compiler at run time. As (optional) peers that the
 * workspace happens to have they would be linked to it, and bring 200 MB of command line tools into every image.
 */
const toolsOnly = { '@prisma/client': ['prisma', 'typescript'] };

function readPackage(manifest) {
  for (const name of toolsOnly[manifest.name] ?? []) {
    delete manifest.peerDependencies?.[name];
    delete manifest.peerDependenciesMeta?.[name];
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
