# script-version: 2.0
# SPDX-License-Identifier: MIT
from paraview.simple import *
from paraview import catalyst
fluid = TrivialProducer(registrationName="fluid")
options = catalyst.Options()
