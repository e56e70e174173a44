//! Installing Debian packages, where we may.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;

/// Install `packages` with apt-get, as root or through a sudo that asks for no password.
pub(super) fn install(packages: &[&str]) -> Result<()> {
    if process::find("apt-get").is_none() {
        bail!("cannot install packages: this machine has no apt-get");
    }
    let mut update = apt_get()?;
    println!("installing {}", packages.join(" "));
    // The package lists of a fresh container are empty or out of date.
    process::run(update.arg("update")).context("cannot refresh the package lists")?;
    process::run(apt_get()?.args(["install", "--yes", "--no-install-recommends"]).args(packages))
        .context("cannot install packages")
}

/// A quiet apt-get that asks nothing and waits for another one to finish.
fn apt_get() -> Result<Command> {
    let mut command = if process::stdout_if_ok(process::command("id").arg("-u")).as_deref() == Some("0") {
        process::command("env")
    } else if process::stdout_if_ok(process::command("sudo").args(["-n", "true"])).is_some() {
        let mut sudo = process::command("sudo");
        sudo.args(["-n", "env"]);
        sudo
    } else {
        bail!("cannot install packages: neither root nor a sudo without password");
    };
    // Through `env`, because sudo drops the variables of its caller.
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]);
    Ok(command)
}
