export const pluginUsage = `  sluice plugin new <name>
  sluice plugin test <folder> [--json]
  sluice plugin push <folder>
  sluice plugin promote <folder or name> [--target staging|live]
  sluice plugin logs <folder or name> [--level <level>] [--since <time>] [--json]`;

export const pluginHelp = `plugin new: writes the folder <name> with a typed handler and recorded events.
plugin test: bundles the plugin and runs it over its recorded events (events/*.json) in the sandbox of the product. Ends with 0
when every event gives what its file expects, 1 when not, 2 when the plugin cannot be run.
plugin push: bundles and pushes the plugin, creates it where there is none of its name, and waits until it is deployed.
plugin promote: promotes what was pushed last (default target: live), and waits until that has landed.
plugin logs: what the plugin logged, newest last.
push, promote and logs call SLUICE_URL with the organization key SLUICE_API_KEY; without them the installation that npm start
left in .data here.`;
